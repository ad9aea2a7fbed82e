#include "backend/onnxruntime/providers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/strings.h"

namespace assay::backend {
namespace {

using worker::Phase;

constexpr std::string_view kSuffix = "ExecutionProvider";

// Adds the CPU before other providers, so that it takes all nodes that it supports. This needs a function outside of
// the API; the API only lets ONNX Runtime add the CPU at the end.
Answer<void> append_cpu(const OnnxRuntimeLibrary& library, OrtSessionOptions* options) {
  using Append = OrtStatus*(ORT_API_CALL*)(OrtSessionOptions*, int);
  const auto append = reinterpret_cast<Append>(library.symbol("OrtSessionOptionsAppendExecutionProvider_CPU"));
  return append == nullptr ? Answer<void>() : library.check(append(options, 1), Phase::start);
}

Answer<void> append_cuda(const OnnxRuntimeLibrary& library, OrtSessionOptions* options) {
  const OrtApi& api = library.api();
  OrtCUDAProviderOptionsV2* raw = nullptr;
  ASSAY_TRY(library.check(api.CreateCUDAProviderOptions(&raw), Phase::start));
  const Owned<OrtCUDAProviderOptionsV2> cuda(raw, api.ReleaseCUDAProviderOptions);
  return library.check(api.SessionOptionsAppendExecutionProvider_CUDA_V2(options, raw), Phase::start);
}

Answer<void> append_tensorrt(const OnnxRuntimeLibrary& library, OrtSessionOptions* options) {
  const OrtApi& api = library.api();
  OrtTensorRTProviderOptionsV2* raw = nullptr;
  ASSAY_TRY(library.check(api.CreateTensorRTProviderOptions(&raw), Phase::start));
  const Owned<OrtTensorRTProviderOptionsV2> tensorrt(raw, api.ReleaseTensorRTProviderOptions);
  return library.check(api.SessionOptionsAppendExecutionProvider_TensorRT_V2(options, raw), Phase::start);
}

Answer<void> append_dnnl(const OnnxRuntimeLibrary& library, OrtSessionOptions* options) {
  const OrtApi& api = library.api();
  OrtDnnlProviderOptions* raw = nullptr;
  ASSAY_TRY(library.check(api.CreateDnnlProviderOptions(&raw), Phase::start));
  const Owned<OrtDnnlProviderOptions> dnnl(raw, api.ReleaseDnnlProviderOptions);
  return library.check(api.SessionOptionsAppendExecutionProvider_Dnnl(options, raw), Phase::start);
}

Answer<void> append_openvino(const OnnxRuntimeLibrary& library, OrtSessionOptions* options) {
  return library.check(library.api().SessionOptionsAppendExecutionProvider_OpenVINO_V2(options, nullptr, nullptr, 0),
                       Phase::start);
}

struct Provider {
  std::string_view name;
  Answer<void> (*append)(const OnnxRuntimeLibrary&, OrtSessionOptions*);
};
// The providers with a function of their own. All others are added by SessionOptionsAppendExecutionProvider, with their
// short names.
constexpr std::array kProviders = {
    Provider{"CPUExecutionProvider", append_cpu},           Provider{"CUDAExecutionProvider", append_cuda},
    Provider{"TensorrtExecutionProvider", append_tensorrt}, Provider{"DnnlExecutionProvider", append_dnnl},
    Provider{"OpenVINOExecutionProvider", append_openvino},
};

Answer<void> append_by_name(const OnnxRuntimeLibrary& library, std::string name, OrtSessionOptions* options) {
  if (name.ends_with(kSuffix)) name.resize(name.size() - kSuffix.size());
  if (name == "Azure") name = "AZURE";
  if (name == "Xnnpack") name = "XNNPACK";
  return library.check(library.api().SessionOptionsAppendExecutionProvider(options, name.c_str(), nullptr, nullptr, 0),
                       Phase::start);
}

}  // namespace

Answer<std::vector<std::string>> choose_providers(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& available) {
  std::vector<std::string> chosen;
  for (const std::string& name : wanted) {
    const auto fits = [&](const std::string& candidate) {
      return base::to_lower(candidate).find(base::to_lower(name)) != std::string::npos;
    };
    const auto found = std::ranges::find_if(available, fits);
    if (found == available.end()) {
      return refuse(
          Phase::start, 0,
          fmt::format("this ONNX Runtime has no execution provider '{}': it has {}", name, fmt::join(available, ", ")));
    }
    if (std::ranges::find(chosen, *found) == chosen.end()) chosen.push_back(*found);
  }
  return chosen;
}

Answer<std::vector<std::string>> available_providers(const OnnxRuntimeLibrary& library) {
  char** names = nullptr;
  int count = 0;
  ASSAY_TRY(library.check(library.api().GetAvailableProviders(&names, &count), Phase::start));
  std::vector<std::string> available(names, names + count);
  ASSAY_TRY(library.check(library.api().ReleaseAvailableProviders(names, count), Phase::start));
  return available;
}

Answer<void> append_providers(const OnnxRuntimeLibrary& library, const std::vector<std::string>& providers,
                              OrtSessionOptions* options) {
  for (const std::string& name : providers) {
    if (name == "CPUExecutionProvider" && name == providers.back()) break;
    const auto row = std::ranges::find(kProviders, name, &Provider::name);
    auto appended = row != kProviders.end() ? row->append(library, options) : append_by_name(library, name, options);
    if (!appended) {
      appended.error().failed.message =
          fmt::format("cannot use the execution provider {}: {}", name, appended.error().failed.message);
      return appended;
    }
  }
  return {};
}

}  // namespace assay::backend
