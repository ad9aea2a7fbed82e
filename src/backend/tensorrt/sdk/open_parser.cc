#include "backend/tensorrt/sdk/open_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "backend/tensorrt/sdk/apply_config.h"
#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/load_plugins.h"
#include "backend/tensorrt/sdk/parser_errors.h"

namespace assay::backend {
namespace {

using nvinfer1::NetworkDefinitionCreationFlag;
using worker::Phase;

Answer<void> set_parser_flags(const tensorrt::NetworkPlan& plan, const TensorRtSdk& sdk,
                              nvonnxparser::IParser& parser) {
  for (const auto& [names, set] : {std::pair{&plan.parser_flags, true}, std::pair{&plan.cleared_parser_flags, false}}) {
    for (const std::string& name : *names) {
      ASSAY_ASSIGN(const int number, sdk.find_enumerator("OnnxParserFlag", name, "--onnx-flags", Phase::load));
      const auto flag = static_cast<nvonnxparser::OnnxParserFlag>(number);
      if (set) {
        parser.setFlag(flag);
      } else {
        parser.clearFlag(flag);
      }
    }
  }
  return {};
}

// The flag with which the parser refuses layers that the DLA can't run. It asks a configuration for each layer, and
// crashes without one.
bool asks_dla(const tensorrt::NetworkPlan& plan) {
  return std::ranges::find(plan.parser_flags, "REPORT_CAPABILITY_DLA") != plan.parser_flags.end();
}

// Returns the configuration for questions about the DLA if no engine is built. The DLA computes in float16 or int8, but
// networks of TensorRT 10 may be in float32, and it is the builder that makes them float16.
tensorrt::ConfigPlan only_for_dla() {
  tensorrt::ConfigPlan plan;
  if (ASSAY_TENSORRT_UNTIL_10) plan.flags.emplace_back("FP16");
  plan.use_dla = true;
  return plan;
}

// Passes the builder configuration to the parser, whose flags for the DLA depend on it.
Answer<void> give_config([[maybe_unused]] const OpenedParser& opened, [[maybe_unused]] TensorRtSdk& sdk) {
#if ASSAY_TENSORRT_SINCE_10(15)
  if (!sdk.is_since({10, 15}) || opened.parser->setBuilderConfig(opened.config.get())) return {};
  return tl::unexpected(sdk.logger.refused(Phase::load, "TensorRT's parser doesn't accept the builder configuration"));
#else
  return {};
#endif
}

Answer<void> check_dla_flag(const tensorrt::ConfigPlan& config) {
  constexpr const char* kOption = "--onnx-flags report_capability_dla";
  if (!config.use_dla) return refuse(Phase::load, 0, fmt::format("{} needs --use-dla", kOption));
#if ASSAY_TENSORRT_SINCE_10(15)
  return {};
#else
  return TensorRtSdk::needs_headers({10, 15}, kOption);
#endif
}

bool fill(const worker::ModelSource& model, nvonnxparser::IParser& parser) {
  if (const auto* file = std::get_if<worker::ModelFile>(&model)) {
    constexpr int kWarnings = 2;  // ILogger::Severity
    return parser.parseFromFile(file->path.c_str(), kWarnings);
  }
  const std::string path = path_of(model);
  const std::string_view text = std::get<worker::ModelBytes>(model).bytes.view();
  return parser.parse(text.data(), text.size(), path.empty() ? nullptr : path.c_str());
}

}  // namespace

std::string path_of(const worker::ModelSource& model) {
  if (const auto* file = std::get_if<worker::ModelFile>(&model)) return file->path.string();
  const auto& folder = std::get<worker::ModelBytes>(model).external_data_dir;
  return folder.empty() ? std::string() : (folder / "model.onnx").string();
}

Answer<OpenedParser> open_parser(const tensorrt::NetworkPlan& plan, const tensorrt::ConfigPlan* config,
                                 TensorRtSdk& sdk) {
  ASSAY_ASSIGN(const auto create_parser, sdk.library.open_parser());
  ASSAY_TRY(load_plugins(plan.plugins, sdk));
  OpenedParser opened;
  sdk.logger.clear();
  opened.builder.reset(static_cast<nvinfer1::IBuilder*>(sdk.library.create_builder(&sdk.logger, sdk.library.number())));
  if (opened.builder == nullptr) return tl::unexpected(sdk.not_made("builder"));
  opened.config.reset(opened.builder->createBuilderConfig());
  if (opened.config == nullptr) {
    return tl::unexpected(sdk.logger.refused(Phase::build, "TensorRT made no configuration"));
  }
  constexpr auto kStronglyTyped = 1U << static_cast<unsigned>(NetworkDefinitionCreationFlag::kSTRONGLY_TYPED);
  opened.network.reset(opened.builder->createNetworkV2(plan.strongly_typed ? kStronglyTyped : 0));
  if (opened.network == nullptr) return tl::unexpected(sdk.logger.refused(Phase::build, "TensorRT made no network"));
  opened.parser.reset(
      static_cast<nvonnxparser::IParser*>(create_parser(opened.network.get(), &sdk.logger, NV_ONNX_PARSER_VERSION)));
  if (opened.parser == nullptr) return tl::unexpected(sdk.logger.refused(Phase::load, "TensorRT made no parser"));
  ASSAY_TRY(set_parser_flags(plan, sdk, *opened.parser));
  tensorrt::ConfigPlan settings;
  if (config != nullptr) settings = *config;
  if (config == nullptr && asks_dla(plan)) settings = only_for_dla();
  if (asks_dla(plan)) ASSAY_TRY(check_dla_flag(settings));
  ASSAY_TRY(apply_settings(settings, sdk, *opened.builder, *opened.config));
  if (config != nullptr || asks_dla(plan)) ASSAY_TRY(give_config(opened, sdk));
  return opened;
}

Answer<void> parse(const worker::ModelSource& model, nvonnxparser::IParser& parser, TensorRtSdk& sdk) {
  sdk.logger.clear();
  if (fill(model, parser)) return {};
  return tl::unexpected(refused_by(parser, "TensorRT's parser doesn't accept the model", sdk.logger));
}

}  // namespace assay::backend
