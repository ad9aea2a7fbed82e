// Converts floating-point types of 16 bits and less to doubles and back.
//
// Sources: IEEE 754 (binary16), onnx.proto and ONNX's "Float stored in 8 bits" page (float8*), OCP Microscaling Formats
// 1.0 (float8e8m0, float6*, float4). Rounds to the nearest, ties to even. Numbers that are too large become what
// ml_dtypes and NumPy return: infinity if the type has it, else NaN if it has that, else the largest number.
#pragma once

#include <cstdint>

#include "tensor/element_type.h"

namespace assay::tensor {

// Returns true for float16, bfloat16, float8*, float6* and float4*.
bool is_minifloat(ElementType type);

// Both assert is_minifloat(type). A code is the bits of one element, in the low bits.
double decode_minifloat(ElementType type, std::uint16_t code);
std::uint16_t encode_minifloat(ElementType type, double value);

}  // namespace assay::tensor
