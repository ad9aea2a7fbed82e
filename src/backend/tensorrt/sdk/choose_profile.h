// Chooses the optimisation profile of a run.
#pragma once

#include <optional>

#include "backend/tensorrt/sdk/open_engine.h"
#include "tensor/tensor.h"

namespace assay::backend {

// Returns the first profile that takes all of these inputs, or nullopt: one in whose range every shape is, and for
// tensors that shapes depend on, every value.
std::optional<int> choose_profile(const OpenedEngine& opened, const tensor::NamedTensors& feeds);

}  // namespace assay::backend
