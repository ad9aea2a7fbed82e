// The header of an .npy file: magic number, version, and a Python dictionary literal with type, order and shape.
// Source: numpy.lib.format in NumPy's reference.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

struct NpyHeader {
  std::string descr;  // the type of an element, for example "<f4"
  std::string field;  // the name of a structured type's only field; empty for all other types
  bool fortran_order = false;
  Shape shape;
  std::size_t data_offset = 0;  // bytes before the first element
};

// Parses the start of a file of version 1.0, 2.0 or 3.0. Errors: invalid_input for a malformed header; unsupported for
// another version.
base::Expected<NpyHeader> parse_npy_header(std::string_view file);

// Formats a header as NumPy writes it: version 1.0, padded to a multiple of 64 bytes. Ignores data_offset.
std::string format_npy_header(const NpyHeader& header);

}  // namespace assay::tensor
