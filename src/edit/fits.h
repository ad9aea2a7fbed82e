// Compares a value with what is known of its tensor.
#pragma once

#include "model/shapes.h"
#include "tensor/tensor.h"

namespace assay::edit {

// Returns false if the value has another type, rank or size than is known of the tensor.
bool fits(const tensor::Tensor& value, const model::TensorInfo& known);

}  // namespace assay::edit
