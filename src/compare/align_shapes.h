// Brings a tensor to the shape of another, for comparisons that do not insist on equal shapes.
#pragma once

#include <optional>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::compare {

// The tensor with its axes permuted where its dimensions are those of `shape` in another order (each axis of `shape`
// takes the first unused one of its size), else reshaped where the number of elements is the same; nullopt else.
std::optional<tensor::Tensor> align_to(const tensor::Tensor& tensor, const tensor::Shape& shape);

}  // namespace assay::compare
