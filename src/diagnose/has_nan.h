#pragma once

#include "tensor/tensor.h"

namespace assay::diagnose {

// Returns true if an element is NaN. Tensors of other than floating types have none.
bool has_nan(const tensor::Tensor& value);
// Returns true if no element is NaN or infinite.
bool is_finite(const tensor::Tensor& value);
// Returns the largest absolute value of the finite elements; 0 if there are none. The type must be real.
double largest_finite(const tensor::Tensor& value);

}  // namespace assay::diagnose
