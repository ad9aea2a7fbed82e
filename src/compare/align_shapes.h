// Converts a tensor to the shape of another, for comparisons that accept different shapes.
#pragma once

#include <optional>

#include "tensor/tensor.h"

namespace assay::compare {

// Returns the tensor with its axes permuted if `shape` has the same dimensions in another order: each axis of `shape`
// takes the first unused axis of its size. Otherwise reshapes it, or returns nullopt if the number of elements differs.
std::optional<tensor::Tensor> align_to(const tensor::Tensor& tensor, const tensor::Shape& shape);

}  // namespace assay::compare
