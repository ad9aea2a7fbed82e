// A tensor's values as text, laid out as numpy prints arrays: people know it, and scripts can search it.
#pragma once

#include <cstddef>
#include <string>

#include "tensor/tensor.h"

namespace assay::tensor {

struct ArrayLayout {
  std::size_t threshold = 1000;  // more elements than this: only the ends of each dimension are shown
  std::size_t edge_items = 3;    // how many at each end
  std::size_t line_width = 75;   // columns before a row is broken
  int precision = 8;             // most digits behind the point
};

// Rows in brackets, columns lined up, no line end behind. Values of floating types get the fewest digits that tell them
// apart from their neighbours; bfloat16 and the 8-bit types are shown as the float32 that they stand for. Reads only
// the elements that are shown.
std::string format_array(const Tensor& tensor, const ArrayLayout& layout = {});

// The shortest text that gives the value back, as Python writes it: "1.0", "0.1", "1e-05", "nan".
std::string format_scalar(float value);
std::string format_scalar(double value);

}  // namespace assay::tensor
