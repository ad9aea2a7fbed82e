// The element types of ONNX tensors, as one table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assay::tensor {

// Has the numbers and order of onnx.TensorProto.DataType (onnx.proto), so static_cast converts between the two.
enum class ElementType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
  float8e8m0 = 24,
  uint2 = 25,
  int2 = 26,
  float6e2m3 = 27,
  float6e3m2 = 28,
};

enum class ElementKind { none, floating, signed_integer, unsigned_integer, boolean, complex, string };

struct ElementTypeInfo {
  ElementType type;
  std::string_view name;       // as numpy and the command line spell it: "float32", "bool", "bfloat16"
  std::string_view onnx_name;  // as onnx.proto spells it: "FLOAT"
  ElementKind kind;
  std::size_t bits;  // of one element in memory; 0 for strings. Types below 8 bits are packed: see tensor/packed.h
  std::string_view npy_descr;  // in an .npy header; empty if the format has no such type
};

// Returns one row per type, in the order of their numbers, starting with `undefined`.
std::span<const ElementTypeInfo> element_types();

// Returns a type's row, or the row of `undefined` for a number that isn't in the table (from an untrusted file).
const ElementTypeInfo& info(ElementType type);
inline std::string_view name(ElementType type) {
  return info(type).name;
}

// Finds a type by its numpy or ONNX name, in either case; "float" is float32 and "double" is float64. Never returns
// `undefined`.
std::optional<ElementType> parse_element_type(std::string_view name);

// Returns the size of `count` elements in bytes, rounded up to whole bytes for packed types; nullopt on overflow, for
// strings and for `undefined`.
std::optional<std::size_t> byte_size(ElementType type, std::uint64_t count);

}  // namespace assay::tensor
