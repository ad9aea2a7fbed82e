// Reads and writes tensors as .npy files.
//
// Writes version 1.0, C order, little-endian: the bytes that NumPy writes for the same array. Also reads versions 2.0
// and 3.0, Fortran order and big-endian. Types that NumPy lacks or names differently:
//  - Strings are written as NumPy's unicode ("<U5": 4 bytes per character, as many as the longest string has), or as
//    bytes ("|S5") if one of them isn't UTF-8. NumPy strips zeros at the end of a string, so a string that ends in one
//    can't be written.
//  - For bfloat16, float8*, float6*, float4*, int4, int2 and so on, numpy.save loses the type of an ml_dtypes array (it
//    writes an anonymous "<V2" or "<V1"). Assay writes a structured type whose one field has the type's name, for
//    example [('bfloat16', '<u2')] or [('int4', '|u1')]. Types below 8 bits take one byte per element, as in ml_dtypes.
//    In Python, array.view(ml_dtypes.bfloat16) restores the type. "<V2" is read as bfloat16 and "<f1" as float8_e5m2,
//    the only types for which ml_dtypes uses them; "<V1" could be any of twelve types and is an error.
//  - Arrays of Python objects are pickles, which can run code. They are never read.
#pragma once

#include <string>

#include "base/error.h"
#include "tensor/byte_sink.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// Parses the bytes of a file. The tensor is a view of `file` if possible (C order, little-endian, at least 8 bits per
// element, not strings). Errors: invalid_input if the header is malformed or the data is too short for the shape;
// unsupported for element types that can't be read and for unknown versions.
base::Expected<Tensor> parse_npy(const Buffer& file);

// Errors: unsupported for strings that the format can't hold; invalid_input for a tensor without a type; the sink's.
base::Status write_npy(const Tensor& tensor, const ByteSink& sink);
base::Expected<std::string> format_npy(const Tensor& tensor);

}  // namespace assay::tensor
