#include "backend/onnxruntime/providers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "backend/provider_names.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

using worker::Phase;

constexpr std::string_view kSuffix = "ExecutionProvider";

// The options of a provider, in the form that the API takes. Refers to `options`.
struct ApiOptions {
  explicit ApiOptions(const ProviderOptions& options) {
    for (const auto& [key, value] : options) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
  [[nodiscard]] std::size_t size() const { return keys.size(); }
  std::vector<const char*> keys;
  std::vector<const char*> values;
};

// Adds the CPU before other providers, so that it takes all nodes that it supports. This needs a function outside of
// the API; the API only lets ONNX Runtime add the CPU at the end.
Answer<void> append_cpu(const OnnxRuntimeLibrary& library, const ApiOptions&, OrtSessionOptions* session) {
  using Append = OrtStatus*(ORT_API_CALL*)(OrtSessionOptions*, int);
  const auto append = reinterpret_cast<Append>(library.symbol("OrtSessionOptionsAppendExecutionProvider_CPU"));
  return append == nullptr ? Answer<void>() : library.check(append(session, 1), Phase::start);
}

Answer<void> append_cuda(const OnnxRuntimeLibrary& library, const ApiOptions& options, OrtSessionOptions* session) {
  const OrtApi& api = library.api();
  OrtCUDAProviderOptionsV2* raw = nullptr;
  ASSAY_TRY(library.check(api.CreateCUDAProviderOptions(&raw), Phase::start));
  const Owned<OrtCUDAProviderOptionsV2> cuda(raw, api.ReleaseCUDAProviderOptions);
  ASSAY_TRY(library.check(
      api.UpdateCUDAProviderOptions(raw, options.keys.data(), options.values.data(), options.size()), Phase::start));
  return library.check(api.SessionOptionsAppendExecutionProvider_CUDA_V2(session, raw), Phase::start);
}

Answer<void> append_tensorrt(const OnnxRuntimeLibrary& library, const ApiOptions& options, OrtSessionOptions* session) {
  const OrtApi& api = library.api();
  OrtTensorRTProviderOptionsV2* raw = nullptr;
  ASSAY_TRY(library.check(api.CreateTensorRTProviderOptions(&raw), Phase::start));
  const Owned<OrtTensorRTProviderOptionsV2> tensorrt(raw, api.ReleaseTensorRTProviderOptions);
  ASSAY_TRY(
      library.check(api.UpdateTensorRTProviderOptions(raw, options.keys.data(), options.values.data(), options.size()),
                    Phase::start));
  return library.check(api.SessionOptionsAppendExecutionProvider_TensorRT_V2(session, raw), Phase::start);
}

Answer<void> append_dnnl(const OnnxRuntimeLibrary& library, const ApiOptions& options, OrtSessionOptions* session) {
  const OrtApi& api = library.api();
  OrtDnnlProviderOptions* raw = nullptr;
  ASSAY_TRY(library.check(api.CreateDnnlProviderOptions(&raw), Phase::start));
  const Owned<OrtDnnlProviderOptions> dnnl(raw, api.ReleaseDnnlProviderOptions);
  ASSAY_TRY(library.check(
      api.UpdateDnnlProviderOptions(raw, options.keys.data(), options.values.data(), options.size()), Phase::start));
  return library.check(api.SessionOptionsAppendExecutionProvider_Dnnl(session, raw), Phase::start);
}

Answer<void> append_openvino(const OnnxRuntimeLibrary& library, const ApiOptions& options, OrtSessionOptions* session) {
  return library.check(library.api().SessionOptionsAppendExecutionProvider_OpenVINO_V2(
                           session, options.keys.data(), options.values.data(), options.size()),
                       Phase::start);
}

struct Provider {
  std::string_view name;
  Answer<void> (*append)(const OnnxRuntimeLibrary&, const ApiOptions&, OrtSessionOptions*);
};
// The providers with a function of their own. All others are added by SessionOptionsAppendExecutionProvider, with their
// short names.
constexpr std::array kProviders = {
    Provider{kCpuProvider, append_cpu},           Provider{kCudaProvider, append_cuda},
    Provider{kTensorRtProvider, append_tensorrt}, Provider{kDnnlProvider, append_dnnl},
    Provider{kOpenVinoProvider, append_openvino},
};
static_assert(std::ranges::equal(kProviders, kProviderNames, {}, &Provider::name));

Answer<void> append_by_name(const OnnxRuntimeLibrary& library, std::string name, const ApiOptions& options,
                            OrtSessionOptions* session) {
  if (name.ends_with(kSuffix)) name.resize(name.size() - kSuffix.size());
  if (name == "Azure") name = "AZURE";
  if (name == "Xnnpack") name = "XNNPACK";
  return library.check(library.api().SessionOptionsAppendExecutionProvider(session, name.c_str(), options.keys.data(),
                                                                           options.values.data(), options.size()),
                       Phase::start);
}

// Returns the first of `names` that contains `part`, in either case.
auto find_provider(const std::vector<std::string>& names, std::string_view part) {
  return std::ranges::find_if(names, [&](const std::string& name) {
    return base::to_lower(name).find(base::to_lower(part)) != std::string::npos;
  });
}

}  // namespace

Answer<std::vector<std::string>> choose_providers(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& available) {
  std::vector<std::string> chosen;
  for (const std::string& name : wanted) {
    const auto found = find_provider(available, name);
    if (found == available.end()) {
      return refuse(Phase::start, 0,
                    fmt::format("--providers: this ONNX Runtime has no execution provider '{}'. It has {}; part of a "
                                "name is enough",
                                name, fmt::join(available, ", ")));
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

Answer<std::map<std::string, ProviderOptions>> options_by_provider(const std::map<std::string, std::string>& options,
                                                                   const std::vector<std::string>& providers) {
  const std::vector<std::string> used = providers.empty() ? std::vector{std::string(kCpuProvider)} : providers;
  std::map<std::string, ProviderOptions> result;
  for (const auto& [name, value] : options) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos || dot == 0 || dot + 1 == name.size()) {
      return refuse(
          Phase::start, 0,
          fmt::format("--provider-options: '{}' doesn't name a provider and its option. Write PROVIDER.KEY=VALUE",
                      name));
    }
    const std::string part = name.substr(0, dot);
    const auto provider = find_provider(used, part);
    if (provider == used.end()) {
      return refuse(Phase::start, 0,
                    fmt::format("--provider-options: '{}' is for an execution provider that isn't used. Those used are "
                                "{}; --providers chooses others",
                                name, fmt::join(used, ", ")));
    }
    if (*provider == kCpuProvider) {
      return refuse(Phase::start, 0,
                    fmt::format("--provider-options: '{}' can't be set, since {} has no options. Leave it out", name,
                                kCpuProvider));
    }
    result[*provider][name.substr(dot + 1)] = value;
  }
  return result;
}

Answer<void> append_providers(const OnnxRuntimeLibrary& library, const std::vector<std::string>& providers,
                              const std::map<std::string, ProviderOptions>& options, OrtSessionOptions* session) {
  for (const std::string& name : providers) {
    if (name == kCpuProvider && name == providers.back()) break;
    const auto own = options.find(name);
    const ApiOptions given(own == options.end() ? ProviderOptions() : own->second);
    const auto row = std::ranges::find(kProviders, name, &Provider::name);
    auto appended =
        row != kProviders.end() ? row->append(library, given, session) : append_by_name(library, name, given, session);
    if (!appended) {
      appended.error().failed.message =
          fmt::format("cannot use the execution provider {}: {}", name, appended.error().failed.message);
      return appended;
    }
  }
  return {};
}

}  // namespace assay::backend
