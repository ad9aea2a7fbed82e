// Tensors as .npy files.
//
// Written: version 1.0, C order, little-endian, byte for byte as NumPy writes the same array. Read besides:
// versions 2.0 and 3.0, Fortran order, big-endian. Types that NumPy lacks or names otherwise:
//  - Strings are written as NumPy's unicode ("<U5", 4 bytes a character, as many as the longest string has), or as
//  bytes
//    ("|S5") where one is not UTF-8. NumPy strips zeros at the end of a string, so a string that ends in one is
//    refused.
//  - bfloat16, float8*, float6*, float4*, int4, int2 and so on: numpy.save forgets the type of an ml_dtypes array (it
//    writes a nameless "<V2" or "<V1"). We write a structured type of one field that carries the name, for example
//    [('bfloat16', '<u2')] or [('int4', '|u1')], one element a byte where it has fewer than 8 bits, as ml_dtypes keeps
//    it in memory. In Python array.view(ml_dtypes.bfloat16) restores it. "<V2" is read as bfloat16 and "<f1" as
//    float8_e5m2, the only types for which ml_dtypes uses them; "<V1" could be any of twelve types and is refused.
//  - Arrays of Python objects are pickles, which can run code: refused.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "tensor/byte_sink.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// From the bytes of a file. The tensor is a view of them where it can be (C order, little-endian, not packed, not
// strings). Errors: invalid_input where the header is malformed or the data shorter than the shape needs; unsupported
// for types.
base::Expected<Tensor> parse_npy(const Buffer& file);
base::Expected<Tensor> read_npy(const std::filesystem::path& path);

// Errors: unsupported for strings that the format cannot hold; otherwise those of the sink.
base::Status write_npy(const Tensor& tensor, const ByteSink& sink);
base::Expected<std::string> format_npy(const Tensor& tensor);

}  // namespace assay::tensor
