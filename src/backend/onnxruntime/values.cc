#include "backend/onnxruntime/values.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string_view>

#include "backend/onnxruntime/ports.h"

namespace assay::backend {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using worker::Phase;

constexpr Phase kPhase = Phase::run;
constexpr std::array<std::string_view, 7> kKinds = {"of an unknown kind", "a tensor",   "a sequence", "a map", "opaque",
                                                    "a sparse tensor",    "an optional"};

Answer<Owned<OrtValue>> string_value(const OnnxRuntimeLibrary& library, const Tensor& tensor) {
  const OrtApi& api = library.api();
  OrtAllocator* allocator = nullptr;
  ASSAY_TRY(library.check(api.GetAllocatorWithDefaultOptions(&allocator), kPhase));
  OrtValue* raw = nullptr;
  ASSAY_TRY(library.check(api.CreateTensorAsOrtValue(allocator, tensor.shape().data(), tensor.shape().size(),
                                                     ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &raw),
                          kPhase));
  Owned<OrtValue> value(raw, api.ReleaseValue);
  for (std::size_t i = 0; i < tensor.strings().size(); ++i) {
    const std::string& text = tensor.strings()[i];  // FillStringTensor would cut the text at the first NUL
    char* buffer = nullptr;
    ASSAY_TRY(library.check(api.GetResizedStringTensorElementBuffer(raw, i, text.size(), &buffer), kPhase));
    std::memcpy(buffer, text.data(), text.size());
  }
  return value;
}

Answer<std::vector<std::string>> string_elements(const OnnxRuntimeLibrary& library, const OrtValue& value,
                                                 std::size_t count) {
  const OrtApi& api = library.api();
  std::size_t length = 0;
  ASSAY_TRY(library.check(api.GetStringTensorDataLength(&value, &length), kPhase));
  std::string all(length, '\0');
  std::vector<std::size_t> offsets(count);
  ASSAY_TRY(library.check(api.GetStringTensorContent(&value, all.data(), length, offsets.data(), count), kPhase));
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = i + 1 < count ? offsets[i + 1] : length;
    strings.push_back(all.substr(offsets[i], end - offsets[i]));
  }
  return strings;
}

Answer<void> expect_tensor(const OnnxRuntimeLibrary& library, const std::string& name, const OrtValue& value) {
  ASSAY_ASSIGN(const bool has_value, holds_value(library, value));
  if (!has_value) {
    return refuse(kPhase, ORT_NOT_IMPLEMENTED,
                  fmt::format("the output '{}' is an empty optional: mark other tensors as outputs", name));
  }
  ONNXType kind = ONNX_TYPE_UNKNOWN;
  ASSAY_TRY(library.check(library.api().GetValueType(&value, &kind), kPhase));
  if (kind == ONNX_TYPE_TENSOR) return {};
  return refuse(kPhase, ORT_NOT_IMPLEMENTED,
                fmt::format("the output '{}' is {}, and only tensors can be returned: mark other tensors as outputs",
                            name, kKinds[static_cast<std::size_t>(kind)]));
}

Answer<Tensor> from_expected(base::Expected<Tensor> tensor, const std::string& name) {
  if (tensor) return *std::move(tensor);
  return refuse(kPhase, ORT_FAIL, fmt::format("the output '{}' is invalid: {}", name, tensor.error().message()));
}

}  // namespace

Answer<Owned<OrtValue>> value_of(const OnnxRuntimeLibrary& library, ElementType type, const tensor::Shape& shape,
                                 std::span<std::byte> bytes) {
  static const Owned<OrtMemoryInfo> memory = [&] {
    OrtMemoryInfo* raw = nullptr;
    static_cast<void>(
        library.check(library.api().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &raw), kPhase));
    return Owned<OrtMemoryInfo>(raw, library.api().ReleaseMemoryInfo);
  }();
  static std::byte nothing{};  // ONNX Runtime rejects null pointers, even for empty tensors
  void* data = bytes.empty() ? &nothing : bytes.data();
  OrtValue* raw = nullptr;
  ASSAY_TRY(library.check(library.api().CreateTensorWithDataAsOrtValue(memory.get(), data, bytes.size(), shape.data(),
                                                                       shape.size(), to_onnxruntime(type), &raw),
                          kPhase));
  return Owned<OrtValue>(raw, library.api().ReleaseValue);
}

Answer<Owned<OrtValue>> to_value(const OnnxRuntimeLibrary& library, const Tensor& tensor) {
  if (tensor.type() == ElementType::string) return string_value(library, tensor);
  const std::span<const std::byte> bytes = tensor.bytes();
  return value_of(library, tensor.type(), tensor.shape(), {const_cast<std::byte*>(bytes.data()), bytes.size()});
}

Answer<bool> holds_value(const OnnxRuntimeLibrary& library, const OrtValue& value) {
  int has_value = 0;
  ASSAY_TRY(library.check(library.api().HasValue(&value, &has_value), kPhase));
  return has_value != 0;
}

Answer<Tensor> to_tensor(const OnnxRuntimeLibrary& library, const std::string& name, std::shared_ptr<OrtValue> value) {
  const OrtApi& api = library.api();
  ASSAY_TRY(expect_tensor(library, name, *value));
  OrtTensorTypeAndShapeInfo* info = nullptr;
  ASSAY_TRY(library.check(api.GetTensorTypeAndShape(value.get(), &info), kPhase));
  const Owned<OrtTensorTypeAndShapeInfo> owned(info, api.ReleaseTensorTypeAndShapeInfo);
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::size_t rank = 0;
  ASSAY_TRY(library.check(api.GetTensorElementType(info, &type), kPhase));
  ASSAY_TRY(library.check(api.GetDimensionsCount(info, &rank), kPhase));
  tensor::Shape shape(rank);
  ASSAY_TRY(library.check(api.GetDimensions(info, shape.data(), rank), kPhase));
  const auto count = tensor::element_count(shape);
  if (from_onnxruntime(type) == ElementType::string && count) {
    ASSAY_ASSIGN(auto strings, string_elements(library, *value, *count));
    return from_expected(Tensor::make_strings(std::move(shape), std::move(strings)), name);
  }
  const auto length = count ? tensor::byte_size(from_onnxruntime(type), *count) : std::nullopt;
  if (!length) {
    return refuse(kPhase, ORT_NOT_IMPLEMENTED,
                  fmt::format("the output '{}' has an unknown element type (ONNX Runtime's number {})", name,
                              static_cast<int>(type)));
  }
  void* data = nullptr;
  ASSAY_TRY(library.check(api.GetTensorMutableData(value.get(), &data), kPhase));
  const std::span bytes(static_cast<std::byte*>(data), *length);
  // ONNX Runtime doesn't clear the unused bits after the last packed element; ours must be zero.
  const std::size_t used_bits = *count * tensor::info(from_onnxruntime(type)).bits % 8;
  if (used_bits != 0) bytes.back() &= static_cast<std::byte>((1U << used_bits) - 1);
  return from_expected(
      Tensor::make(from_onnxruntime(type), std::move(shape), tensor::Buffer(std::span<const std::byte>(bytes), value)),
      name);
}

}  // namespace assay::backend
