// The element types of ONNX tensors, as one table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assay::tensor {

// Numbers and order are those of onnx.TensorProto.DataType (onnx.proto), so a cast converts between the two.
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
  std::string_view npy_descr;  // in a .npy header; empty where the format has none
};

// One row for each type, in the order of their numbers, `undefined` first.
std::span<const ElementTypeInfo> element_types();

// The row of a type. A number that is not in the table (from an untrusted file) gives the row of `undefined`.
const ElementTypeInfo& info(ElementType type);
inline std::string_view name(ElementType type) {
  return info(type).name;
}

// By numpy name or ONNX name, in any case; "float" is float32 and "double" float64, as in numpy's C names.
std::optional<ElementType> parse_element_type(std::string_view name);

// Bytes that `count` elements take (rounded up to whole bytes for packed types); nullopt on overflow and for strings.
std::optional<std::size_t> byte_size(ElementType type, std::uint64_t count);

}  // namespace assay::tensor
