#include "backend/openvino/types.h"

#include <algorithm>
#include <array>

namespace assay::backend {
namespace {

using tensor::ElementType;

// ov_element_type_e as numbered since OpenVINO 2025; `undefined` for types that ONNX doesn't have.
constexpr std::array kTypes = {
    ElementType::undefined,  // DYNAMIC
    ElementType::boolean,      ElementType::bfloat16,   ElementType::float16, ElementType::float32,
    ElementType::float64,      ElementType::int4,       ElementType::int8,    ElementType::int16,
    ElementType::int32,        ElementType::int64,
    ElementType::undefined,  // U1
    ElementType::uint2,
    ElementType::undefined,  // U3
    ElementType::uint4,
    ElementType::undefined,  // U6
    ElementType::uint8,        ElementType::uint16,     ElementType::uint32,  ElementType::uint64,
    ElementType::undefined,  // NF4
    ElementType::float8e4m3fn, ElementType::float8e5m2, ElementType::string,  ElementType::float4e2m1,
    ElementType::float8e8m0,
};

constexpr std::int64_t kCount = 24;  // elements, which are whole bytes for every element size

bool has_size(const OpenVinoLibrary& library, ov::ElementType number, std::size_t bits) {
  std::int64_t dims[] = {kCount};
  ov::TensorHandle* raw = nullptr;
  if (library.api().ov_tensor_create(number, {1, dims}, &raw) != 0) return false;
  const OwnedByOpenVino<ov::TensorHandle> tensor(raw, library.api().ov_tensor_free);
  std::size_t size = 0;
  return library.api().ov_tensor_get_byte_size(raw, &size) == 0 && size == kCount * bits / 8;
}

bool counts_from(const OpenVinoLibrary& library, int offset) {
  constexpr std::array kAsked = {ElementType::boolean, ElementType::float32,   ElementType::float64,
                                 ElementType::int4,    ElementType::int64,     ElementType::uint4,
                                 ElementType::uint64,  ElementType::float8e5m2};
  return std::ranges::all_of(kAsked, [&](ElementType type) {
    const auto at = std::ranges::find(kTypes, type) - kTypes.begin();
    return has_size(library, static_cast<int>(at) + offset, tensor::info(type).bits);
  });
}

}  // namespace

Answer<OpenVinoTypes> OpenVinoTypes::of(const OpenVinoLibrary& library) {
  for (const int offset : {0, 1}) {
    if (counts_from(library, offset)) return OpenVinoTypes(offset);
  }
  return refuse(worker::Phase::start, 0,
                "OpenVINO " + library.version() + " numbers its element types in an unknown way");
}

std::optional<ov::ElementType> OpenVinoTypes::number(ElementType type) const {
  const auto at = std::ranges::find(kTypes, type);
  if (type == ElementType::undefined || at == kTypes.end()) return std::nullopt;
  return static_cast<int>(at - kTypes.begin()) + offset_;
}

ElementType OpenVinoTypes::type(ov::ElementType number) const {
  const auto at = static_cast<std::size_t>(number - offset_);
  return at < kTypes.size() ? kTypes[at] : ElementType::undefined;
}

}  // namespace assay::backend
