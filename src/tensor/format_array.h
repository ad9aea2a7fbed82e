// Formats a tensor's values as numpy prints arrays: a layout that people know and scripts can parse.
#pragma once

#include <cstddef>
#include <string>

#include "tensor/tensor.h"

namespace assay::tensor {

struct ArrayLayout {
  std::size_t threshold = 1000;  // with more elements, only the ends of each dimension are shown
  std::size_t edge_items = 3;    // elements shown at each end
  std::size_t line_width = 75;   // columns before a row is broken
  int precision = 8;             // maximum of digits after the decimal point
};

// Formats rows in brackets, with aligned columns and no newline at the end. Floating-point values get the fewest digits
// that identify them; bfloat16 and types of 8 bits and less are formatted as the float32 of the same value. Reads only
// the elements that are shown.
std::string format_array(const Tensor& tensor, const ArrayLayout& layout = {});

}  // namespace assay::tensor
