#include "tensor/element_type.h"

#include <array>
#include <limits>

#include "base/strings.h"

namespace assay::tensor {
namespace {

using enum ElementType;
using Kind = ElementKind;

// Types without a descr are those that numpy lacks, and strings, whose descr has a length; npy.h says how both are
// stored.
constexpr std::array kTypes = {
    ElementTypeInfo{undefined, "undefined", "UNDEFINED", Kind::none, 0, ""},
    ElementTypeInfo{float32, "float32", "FLOAT", Kind::floating, 32, "<f4"},
    ElementTypeInfo{uint8, "uint8", "UINT8", Kind::unsigned_integer, 8, "|u1"},
    ElementTypeInfo{int8, "int8", "INT8", Kind::signed_integer, 8, "|i1"},
    ElementTypeInfo{uint16, "uint16", "UINT16", Kind::unsigned_integer, 16, "<u2"},
    ElementTypeInfo{int16, "int16", "INT16", Kind::signed_integer, 16, "<i2"},
    ElementTypeInfo{int32, "int32", "INT32", Kind::signed_integer, 32, "<i4"},
    ElementTypeInfo{int64, "int64", "INT64", Kind::signed_integer, 64, "<i8"},
    ElementTypeInfo{string, "string", "STRING", Kind::string, 0, ""},
    ElementTypeInfo{boolean, "bool", "BOOL", Kind::boolean, 8, "|b1"},
    ElementTypeInfo{float16, "float16", "FLOAT16", Kind::floating, 16, "<f2"},
    ElementTypeInfo{float64, "float64", "DOUBLE", Kind::floating, 64, "<f8"},
    ElementTypeInfo{uint32, "uint32", "UINT32", Kind::unsigned_integer, 32, "<u4"},
    ElementTypeInfo{uint64, "uint64", "UINT64", Kind::unsigned_integer, 64, "<u8"},
    ElementTypeInfo{complex64, "complex64", "COMPLEX64", Kind::complex, 64, "<c8"},
    ElementTypeInfo{complex128, "complex128", "COMPLEX128", Kind::complex, 128, "<c16"},
    ElementTypeInfo{bfloat16, "bfloat16", "BFLOAT16", Kind::floating, 16, ""},
    ElementTypeInfo{float8e4m3fn, "float8_e4m3fn", "FLOAT8E4M3FN", Kind::floating, 8, ""},
    ElementTypeInfo{float8e4m3fnuz, "float8_e4m3fnuz", "FLOAT8E4M3FNUZ", Kind::floating, 8, ""},
    ElementTypeInfo{float8e5m2, "float8_e5m2", "FLOAT8E5M2", Kind::floating, 8, ""},
    ElementTypeInfo{float8e5m2fnuz, "float8_e5m2fnuz", "FLOAT8E5M2FNUZ", Kind::floating, 8, ""},
    ElementTypeInfo{uint4, "uint4", "UINT4", Kind::unsigned_integer, 4, ""},
    ElementTypeInfo{int4, "int4", "INT4", Kind::signed_integer, 4, ""},
    ElementTypeInfo{float4e2m1, "float4_e2m1fn", "FLOAT4E2M1", Kind::floating, 4, ""},
    ElementTypeInfo{float8e8m0, "float8_e8m0fnu", "FLOAT8E8M0", Kind::floating, 8, ""},
    ElementTypeInfo{uint2, "uint2", "UINT2", Kind::unsigned_integer, 2, ""},
    ElementTypeInfo{int2, "int2", "INT2", Kind::signed_integer, 2, ""},
    ElementTypeInfo{float6e2m3, "float6_e2m3fn", "FLOAT6E2M3", Kind::floating, 6, ""},
    ElementTypeInfo{float6e3m2, "float6_e3m2fn", "FLOAT6E3M2", Kind::floating, 6, ""},
};

}  // namespace

std::span<const ElementTypeInfo> element_types() {
  return kTypes;
}

const ElementTypeInfo& info(ElementType type) {
  const auto index = static_cast<std::size_t>(static_cast<std::int32_t>(type));
  return index < kTypes.size() ? kTypes[index] : kTypes[0];
}

std::optional<ElementType> parse_element_type(std::string_view name) {
  const std::string wanted = base::to_lower(name);
  if (wanted == "float") return float32;
  if (wanted == "double") return float64;
  for (const ElementTypeInfo& row : kTypes) {
    if (row.type == undefined) continue;
    if (wanted == row.name || wanted == base::to_lower(row.onnx_name)) return row.type;
  }
  return std::nullopt;
}

std::optional<std::size_t> byte_size(ElementType type, std::uint64_t count) {
  const std::uint64_t bits = info(type).bits;
  if (bits == 0) return std::nullopt;
  if (count > std::numeric_limits<std::uint64_t>::max() / 128 - 1) return std::nullopt;
  return static_cast<std::size_t>((count * bits + 7) / 8);
}

}  // namespace assay::tensor
