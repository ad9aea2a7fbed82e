// Floating-point types of 16 bits and less, as numbers.
//
// Sources: IEEE 754 (binary16), onnx.proto and ONNX's "Float stored in 8 bits" page (float8*), OCP Microscaling Formats
// 1.0 (float8e8m0, float6*, float4). Rounding is to the nearest, ties to even; a number that is too large becomes what
// ml_dtypes and NumPy make of it: infinity where the type has one, NaN where it has only that, else the largest number.
#pragma once

#include <cstdint>

#include "tensor/element_type.h"

namespace assay::tensor {

// True for the types of this file: float16, bfloat16, float8*, float6*, float4*.
bool is_minifloat(ElementType type);

// `code`: the bits of one element. Asserts that the type is one of these.
double decode_minifloat(ElementType type, std::uint16_t code);
std::uint16_t encode_minifloat(ElementType type, double value);

}  // namespace assay::tensor
