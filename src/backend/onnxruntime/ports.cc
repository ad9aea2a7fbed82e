#include "backend/onnxruntime/ports.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace assay::backend {
namespace {

using tensor::ElementType;
using worker::Phase;
using worker::Port;

constexpr Phase kPhase = Phase::build;

// The two enumerations are equal up to 23. Then ONNX continues with float8e8m0, uint2 and int2, and
// onnxruntime_c_api.h with the order below.
constexpr int kLastEqual = static_cast<int>(ElementType::float4e2m1);
constexpr std::array kOthers = {ElementType::uint2, ElementType::int2, ElementType::float8e8m0};

// Describes an input or output. Kinds are named as in ONNX's type strings.
Answer<Port> describe(const OnnxRuntimeLibrary& library, const OrtTypeInfo& info);

Answer<Port> describe_tensor(const OnnxRuntimeLibrary& library, const OrtTypeInfo& info) {
  const OrtApi& api = library.api();
  Port port;
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  ASSAY_TRY(library.check(api.CastTypeInfoToTensorInfo(&info, &tensor), kPhase));
  if (tensor == nullptr) return port;
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  std::size_t rank = 0;
  ASSAY_TRY(library.check(api.GetTensorElementType(tensor, &type), kPhase));
  ASSAY_TRY(library.check(api.GetDimensionsCount(tensor, &rank), kPhase));
  port.type = from_onnxruntime(type);
  port.shape.resize(rank);
  ASSAY_TRY(library.check(api.GetDimensions(tensor, port.shape.data(), rank), kPhase));
  return port;
}

// Returns "tensor(float32)" for a tensor, else the kind.
std::string inner_kind(const Port& port) {
  return port.kind == "tensor" ? fmt::format("tensor({})", tensor::name(port.type)) : port.kind;
}

// Describes a sequence or an optional. Keeps the type and shape of its content.
template <class Container>
Answer<Port> describe_container(const OnnxRuntimeLibrary& library, const OrtTypeInfo& info, std::string_view kind,
                                OrtStatus*(ORT_API_CALL* cast)(const OrtTypeInfo*, const Container**),
                                OrtStatus*(ORT_API_CALL* open)(const Container*, OrtTypeInfo**)) {
  const Container* container = nullptr;
  ASSAY_TRY(library.check(cast(&info, &container), kPhase));
  OrtTypeInfo* content = nullptr;
  ASSAY_TRY(library.check(open(container, &content), kPhase));
  const Owned<OrtTypeInfo> owned(content, library.api().ReleaseTypeInfo);
  ASSAY_ASSIGN(Port port, describe(library, *content));
  port.kind = fmt::format("{}({})", kind, inner_kind(port));
  return port;
}

Answer<Port> describe(const OnnxRuntimeLibrary& library, const OrtTypeInfo& info) {
  const OrtApi& api = library.api();
  ONNXType kind = ONNX_TYPE_UNKNOWN;
  ASSAY_TRY(library.check(api.GetOnnxTypeFromTypeInfo(&info, &kind), kPhase));
  Port port;
  switch (kind) {
    case ONNX_TYPE_TENSOR:
      return describe_tensor(library, info);
    case ONNX_TYPE_SEQUENCE:
      return describe_container(library, info, "sequence", api.CastTypeInfoToSequenceTypeInfo,
                                api.GetSequenceElementType);
    case ONNX_TYPE_OPTIONAL:
      return describe_container(library, info, "optional", api.CastTypeInfoToOptionalTypeInfo,
                                api.GetOptionalContainedTypeInfo);
    case ONNX_TYPE_SPARSETENSOR: {
      ASSAY_ASSIGN(port, describe_tensor(library, info));
      port.kind = fmt::format("sparse_tensor({})", tensor::name(port.type));
      return port;
    }
    case ONNX_TYPE_MAP:
      port.kind = "map";
      return port;
    case ONNX_TYPE_OPAQUE:
      port.kind = "opaque";
      return port;
    case ONNX_TYPE_UNKNOWN:
      break;
  }
  port.kind = "unknown";
  return port;
}

using Count = OrtStatus*(ORT_API_CALL*)(const OrtSession*, std::size_t*);
using Name = OrtStatus*(ORT_API_CALL*)(const OrtSession*, std::size_t, OrtAllocator*, char**);
using TypeInfo = OrtStatus*(ORT_API_CALL*)(const OrtSession*, std::size_t, OrtTypeInfo**);

Answer<std::vector<Port>> ports(const OnnxRuntimeLibrary& library, const OrtSession& session, Count count, Name name,
                                TypeInfo type_info) {
  const OrtApi& api = library.api();
  OrtAllocator* allocator = nullptr;
  ASSAY_TRY(library.check(api.GetAllocatorWithDefaultOptions(&allocator), kPhase));
  std::size_t total = 0;
  ASSAY_TRY(library.check(count(&session, &total), kPhase));
  std::vector<Port> result;
  for (std::size_t i = 0; i < total; ++i) {
    OrtTypeInfo* info = nullptr;
    ASSAY_TRY(library.check(type_info(&session, i, &info), kPhase));
    const Owned<OrtTypeInfo> owned(info, api.ReleaseTypeInfo);
    ASSAY_ASSIGN(Port port, describe(library, *info));
    char* text = nullptr;
    ASSAY_TRY(library.check(name(&session, i, allocator, &text), kPhase));
    port.name = text;
    ASSAY_TRY(library.check(api.AllocatorFree(allocator, text), kPhase));
    result.push_back(std::move(port));
  }
  return result;
}

}  // namespace

ElementType from_onnxruntime(ONNXTensorElementDataType type) {
  const int number = static_cast<int>(type);
  if (number <= kLastEqual) return tensor::info(static_cast<ElementType>(number)).type;
  const auto other = static_cast<std::size_t>(number - kLastEqual - 1);
  return other < kOthers.size() ? kOthers[other] : ElementType::undefined;
}

ONNXTensorElementDataType to_onnxruntime(ElementType type) {
  int number = static_cast<int>(type);
  for (std::size_t i = 0; i < kOthers.size(); ++i) {
    if (kOthers[i] == type) number = kLastEqual + 1 + static_cast<int>(i);
  }
  return static_cast<ONNXTensorElementDataType>(number);
}

Answer<std::vector<Port>> session_inputs(const OnnxRuntimeLibrary& library, const OrtSession& session) {
  const OrtApi& api = library.api();
  return ports(library, session, api.SessionGetInputCount, api.SessionGetInputName, api.SessionGetInputTypeInfo);
}

Answer<std::vector<Port>> session_overridable(const OnnxRuntimeLibrary& library, const OrtSession& session) {
  const OrtApi& api = library.api();
  return ports(library, session, api.SessionGetOverridableInitializerCount, api.SessionGetOverridableInitializerName,
               api.SessionGetOverridableInitializerTypeInfo);
}

Answer<std::vector<Port>> session_outputs(const OnnxRuntimeLibrary& library, const OrtSession& session) {
  const OrtApi& api = library.api();
  return ports(library, session, api.SessionGetOutputCount, api.SessionGetOutputName, api.SessionGetOutputTypeInfo);
}

}  // namespace assay::backend
