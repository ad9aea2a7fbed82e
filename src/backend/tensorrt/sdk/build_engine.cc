#include "backend/tensorrt/sdk/build_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/tensorrt/sdk/apply_config.h"
#include "backend/tensorrt/sdk/apply_network.h"
#include "backend/tensorrt/sdk/apply_profiles.h"
#include "backend/tensorrt/sdk/open_parser.h"
#include "backend/tensorrt/sdk/timing_cache.h"

namespace assay::backend {
namespace {

using nvinfer1::INetworkDefinition;
using worker::Phase;

// Puts plug-ins into an engine that contains its runtime, which knows no others: those that the parser has used for
// operators of ONNX, such as RoiAlign, and those of the user's libraries.
void include_plugins(const nvonnxparser::IParser& parser, const std::vector<std::string>& files,
                     nvinfer1::IBuilderConfig& config) {
  const bool contains_runtime = config.getFlag(nvinfer1::BuilderFlag::kVERSION_COMPATIBLE) &&
                                !config.getFlag(nvinfer1::BuilderFlag::kEXCLUDE_LEAN_RUNTIME);
  if (!contains_runtime) return;
  std::int64_t count = 0;
  const char* const* libraries = parser.getUsedVCPluginLibraries(count);  // those of the parser, -1 after an error
  std::vector<const char*> paths(libraries, libraries + (libraries == nullptr ? 0 : std::max<std::int64_t>(count, 0)));
  for (const std::string& file : files) {
    if (std::ranges::find(paths, std::string_view(file)) == paths.end()) paths.push_back(file.c_str());
  }
  if (!paths.empty()) config.setPluginsToSerialize(paths.data(), static_cast<std::int32_t>(paths.size()));
}

}  // namespace

Answer<std::unique_ptr<nvinfer1::IHostMemory>> build_engine(const worker::ModelSource& model,
                                                            const TensorRtOptions& options, TensorRtSdk& sdk) {
  ConfigParts parts;  // before the builder, which they must outlive
  const tensorrt::ConfigPlan plan = with_existing_cache(options);
  ASSAY_ASSIGN(const OpenedParser opened, open_parser(options.network, &plan, sdk));
  nvinfer1::IBuilder& builder = *opened.builder;
  INetworkDefinition& network = *opened.network;
  nvinfer1::IBuilderConfig& config = *opened.config;
  ASSAY_TRY(parse(model, *opened.parser, sdk));
  ASSAY_TRY(apply_network(options.network, sdk, network));
  const std::string& saved_cache = options.engine.save_timing_cache;
  ASSAY_ASSIGN(parts, apply_config(plan, saved_cache, options.calibration_data, sdk, builder, network, config));
  sdk.logger.clear();
  include_plugins(*opened.parser, plan.plugins, config);
  std::unique_ptr<nvinfer1::IHostMemory> engine(builder.buildSerializedNetwork(network, config));
  for (const auto& callback : parts.callbacks) ASSAY_TRY(callback->check());
  if (engine == nullptr) {
    worker::Refused refused = sdk.logger.refused(Phase::build, "TensorRT built no engine");
    const std::string missing = describe_missing_values(plan, network, sdk.logger);
    if (!missing.empty()) refused.failed.message += "; " + missing;
    return tl::unexpected(std::move(refused));
  }
  if (!saved_cache.empty()) ASSAY_TRY(save_timing_cache(saved_cache, config, sdk.logger));
  for (const auto& callback : parts.callbacks) ASSAY_TRY(callback->finish());
  return engine;
}

}  // namespace assay::backend
