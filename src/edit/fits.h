// Compares a value with what is known of its tensor.
#pragma once

#include "model/shapes.h"
#include "tensor/tensor.h"

namespace assay::edit {

// Returns false if the value has another type, rank or size than is known of the tensor.
bool fits(const tensor::Tensor& value, const model::TensorInfo& known);
// The same. Every value fits if `known` is null, or isn't a tensor.
bool fits(const tensor::Tensor& value, const onnx::ValueInfoProto* known);

}  // namespace assay::edit
