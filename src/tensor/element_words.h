// Elements of an array as words of one width, as numpy writes them inside an array.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace assay::tensor {

// The elements at these positions, in their order. Numbers are lined up at the point, and all get an exponent where
// their magnitudes are too far apart; `precision`: most digits behind the point. Strings are quoted, and not lined up.
std::vector<std::string> element_words(const Tensor& tensor, const std::vector<std::uint64_t>& indices, int precision);

// An array without dimensions, as Python writes such a value.
std::string single_text(const Tensor& tensor);

}  // namespace assay::tensor
