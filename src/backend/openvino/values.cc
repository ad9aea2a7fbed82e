#include "backend/openvino/values.h"

#include <fmt/format.h>

#include <vector>

namespace assay::backend {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using worker::Phase;

constexpr Phase kPhase = Phase::run;

Answer<OwnedByOpenVino<ov::TensorHandle>> strings_to_openvino(const OpenVinoLibrary& library, const Tensor& tensor,
                                                              ov::Shape shape) {
  if (library.api().ov_tensor_create_from_string_array == nullptr) {
    return refuse(
        kPhase, 0,
        fmt::format("the C API of OpenVINO {} can't pass strings; that of 2025.2 and later can", library.version()));
  }
  std::vector<const char*> texts;
  for (const std::string& text : tensor.strings()) texts.push_back(text.c_str());
  const std::size_t count = texts.size();
  texts.push_back("");  // OpenVINO rejects null pointers, even for empty tensors
  ov::TensorHandle* raw = nullptr;
  ASSAY_TRY(library.check(library.api().ov_tensor_create_from_string_array(texts.data(), count, shape, &raw), kPhase));
  return OwnedByOpenVino<ov::TensorHandle>(raw, library.api().ov_tensor_free);
}

// Returns a tensor's shape. For a scalar, the C API reports an invalid parameter instead of a shape.
Answer<tensor::Shape> shape_of(const OpenVinoLibrary& library, const ov::TensorHandle* handle) {
  constexpr ov::Status kInvalidParameter = -14;
  const ov::Functions& api = library.api();
  ov::Shape dims = {};
  const ov::Status status = api.ov_tensor_get_shape(handle, &dims);
  std::size_t count = 0;
  if (status == kInvalidParameter && api.ov_tensor_get_size(handle, &count) == 0 && count == 1) return tensor::Shape{};
  ASSAY_TRY(library.check(status, kPhase));
  tensor::Shape shape(dims.dims, dims.dims + dims.rank);
  api.ov_shape_free(&dims);
  return shape;
}

}  // namespace

Answer<OwnedByOpenVino<ov::TensorHandle>> to_openvino(const OpenVinoLibrary& library, const OpenVinoTypes& types,
                                                      const std::string& name, const Tensor& tensor) {
  tensor::Shape dims = tensor.shape();
  const auto rank = static_cast<std::int64_t>(dims.size());
  dims.push_back(0);  // avoids a null pointer for scalars
  const ov::Shape shape = {rank, dims.data()};
  if (tensor.type() == ElementType::string) return strings_to_openvino(library, tensor, shape);
  const auto number = types.number(tensor.type());
  if (!number) {
    return refuse(
        kPhase, 0,
        fmt::format("the input '{}' is {}, a type that OpenVINO does not support", name, tensor::name(tensor.type())));
  }
  static std::byte nothing{};  // OpenVINO rejects null pointers, even for empty tensors
  const std::span<const std::byte> bytes = tensor.bytes();
  void* data = bytes.empty() ? &nothing : const_cast<std::byte*>(bytes.data());
  ov::TensorHandle* raw = nullptr;
  ASSAY_TRY(library.check(library.api().ov_tensor_create_from_host_ptr(*number, shape, data, &raw), kPhase));
  return OwnedByOpenVino<ov::TensorHandle>(raw, library.api().ov_tensor_free);
}

Answer<Tensor> from_openvino(const OpenVinoLibrary& library, const OpenVinoTypes& types, const std::string& name,
                             std::shared_ptr<ov::TensorHandle> handle) {
  const ov::Functions& api = library.api();
  ov::ElementType number = 0;
  ASSAY_TRY(library.check(api.ov_tensor_get_element_type(handle.get(), &number), kPhase));
  const ElementType type = types.type(number);
  if (type == ElementType::undefined || type == ElementType::string) {
    return refuse(
        kPhase, 0,
        fmt::format("the output '{}' is {}, which OpenVINO's C API cannot return: mark other tensors as "
                    "outputs",
                    name, type == ElementType::string ? "strings" : fmt::format("of OpenVINO's type {}", number)));
  }
  ASSAY_ASSIGN(tensor::Shape shape, shape_of(library, handle.get()));
  const auto count = tensor::element_count(shape);
  const auto length = count ? tensor::byte_size(type, *count) : std::nullopt;
  if (!length) return refuse(kPhase, 0, fmt::format("the output '{}' has an invalid shape", name));
  void* data = nullptr;
  if (*length > 0) ASSAY_TRY(library.check(api.ov_tensor_data(handle.get(), &data), kPhase));
  const std::span bytes(static_cast<std::byte*>(data), *length);
  // OpenVINO doesn't clear the unused bits after the last packed element; ours must be zero.
  const std::size_t used_bits = *count * tensor::info(type).bits % 8;
  if (used_bits != 0) bytes.back() &= static_cast<std::byte>((1U << used_bits) - 1);
  auto result = Tensor::make(type, std::move(shape), tensor::Buffer(std::span<const std::byte>(bytes), handle));
  if (result) return *std::move(result);
  return refuse(kPhase, 0, fmt::format("the output '{}' is invalid: {}", name, result.error().message()));
}

}  // namespace assay::backend
