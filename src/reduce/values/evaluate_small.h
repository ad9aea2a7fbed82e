// Computes a node on a few integers or booleans, without an engine.
//
// Most of what a candidate needs as a constant is shape arithmetic: sizes of dimensions that are divided, concatenated
// or compared. If no engine can run the model, these values can still be computed as long as the shapes are known. Only
// what ONNX defines exactly is computed: no floating point, no random numbers, no bodies.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tensor/tensor.h"

namespace assay::reduce {

inline constexpr std::uint64_t kSmallElements = 4096;  // limit for each tensor

struct SmallInput {
  std::optional<tensor::Tensor> value;
  std::optional<tensor::Shape> shape;  // may be known even if the value isn't
};

// Returns the node's first output. `inputs` has one entry for each input of the node, including empty ones. Returns
// nothing if the operator isn't supported, a required input is unknown, a tensor is too large, or the node is invalid.
std::optional<tensor::Tensor> evaluate_small(const onnx::NodeProto& node, const std::vector<SmallInput>& inputs);

}  // namespace assay::reduce
