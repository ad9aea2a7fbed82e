// Computes a node on a few whole numbers or conditions, without any engine.
//
// Most of what a candidate needs as a constant is the arithmetic of shapes: the size of a dimension, divided, put
// together with others, compared. If no engine runs the model, these values can still be told as long as the shapes
// are known. Only what ONNX defines exactly is computed: no floating point, no random numbers, no bodies.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tensor/tensor.h"

namespace assay::reduce {

inline constexpr std::uint64_t kSmallElements = 4096;  // of each tensor

struct SmallInput {
  std::optional<tensor::Tensor> value;
  std::optional<tensor::Shape> shape;  // may be known without the value
};

// The first output. `inputs`: one for each input of the node, empty ones included. Nothing if the operator
// isn't one of those above, an input that it needs isn't known, or the node is invalid.
std::optional<tensor::Tensor> evaluate_small(const onnx::NodeProto& node, const std::vector<SmallInput>& inputs);

}  // namespace assay::reduce
