// Chooses the optimisation profile of a run.
#pragma once

#include <optional>
#include <string>

#include "backend/tensorrt/sdk/open_engine.h"
#include "tensor/tensor.h"

namespace assay::backend {

// Returns the first profile that takes all of these inputs, or nullopt: one in whose range every shape is, and for
// tensors that shapes depend on, every value.
std::optional<int> choose_profile(const OpenedEngine& opened, const tensor::NamedTensors& feeds);

// Returns what each profile takes: "profile 0 x [1,2] to [8,2]; profile 1 ...", with the values of tensors that shapes
// depend on.
std::string describe_profiles(const OpenedEngine& opened);

// Returns the values that a profile has for a shape tensor of `count` elements, or nullopt if the input isn't one.
std::optional<tensor::Shape> profile_values(const OpenedEngine& opened, const char* input, int profile,
                                            nvinfer1::OptProfileSelector select, std::size_t count);

}  // namespace assay::backend
