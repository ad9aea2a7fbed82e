// Formats elements as numpy prints them inside an array: as words of the same width.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace assay::tensor {

// Formats the elements at `indices`, in that order. Numbers are aligned at the decimal point, with at most `precision`
// digits after it; all get an exponent if their magnitudes differ too much. Strings are quoted and not padded.
std::vector<std::string> element_words(const Tensor& tensor, const std::vector<std::uint64_t>& indices, int precision);

// Formats the element of a tensor without dimensions, as Python prints such a value.
std::string single_text(const Tensor& tensor);

}  // namespace assay::tensor
