// Compares a value with what is known of its tensor.
#pragma once

#include "model/shapes.h"
#include "tensor/tensor.h"

namespace assay::edit {

// Returns false if a value of this type and shape has another type, rank or size than is known of the tensor. Every
// value fits if `known` is null, or isn't a tensor.
bool fits(tensor::ElementType type, const tensor::Shape& shape, const onnx::ValueInfoProto* known);
// Returns false if the value has another type, rank or size than is known of the tensor.
bool fits(const tensor::Tensor& value, const model::TensorInfo& known);
// The same. Every value fits if `known` is null, or isn't a tensor.
bool fits(const tensor::Tensor& value, const onnx::ValueInfoProto* known);

}  // namespace assay::edit
