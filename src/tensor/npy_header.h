// The header of an .npy file: magic, version, and a Python dictionary with type, order and shape as text.
// Source: numpy.lib.format in NumPy's reference.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

struct NpyHeader {
  std::string descr;  // type of an element, e.g. "<f4"
  std::string field;  // not empty for a structured type of this one field
  bool fortran_order = false;
  Shape shape;
  std::size_t data_offset = 0;  // bytes before the first element
};

// From the first bytes of a file of version 1.0, 2.0 or 3.0.
base::Expected<NpyHeader> parse_npy_header(std::string_view file);

// The header as NumPy writes it, version 1.0, padded to a multiple of 64 bytes. data_offset is ignored.
std::string format_npy_header(const NpyHeader& header);

}  // namespace assay::tensor
