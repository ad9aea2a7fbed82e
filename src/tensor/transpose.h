// The same elements in another shape.
#pragma once

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// numpy.transpose: dimension i of the result is dimension axes[i] of the tensor. Any type.
// Errors: invalid_input where `axes` is not an order of all dimensions.
base::Expected<Tensor> transpose(const Tensor& tensor, const std::vector<std::size_t>& axes);

// Shares the elements. Errors: invalid_input where the shape has another number of elements.
base::Expected<Tensor> reshape(const Tensor& tensor, Shape shape);

}  // namespace assay::tensor
