// Changes the shape or the order of a tensor's dimensions.
#pragma once

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// Permutes the dimensions of a tensor of any type as numpy.transpose does: dimension i of the result is dimension
// axes[i] of `tensor`. Errors: invalid_input if `axes` isn't a permutation of all dimensions.
base::Expected<Tensor> transpose(const Tensor& tensor, const std::vector<std::size_t>& axes);

// Returns the same elements in another shape, without copying them, except strings. Errors: invalid_input if the shape
// has another number of elements.
base::Expected<Tensor> reshape(const Tensor& tensor, Shape shape);

}  // namespace assay::tensor
