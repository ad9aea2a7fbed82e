// The order of calls is TensorRT's: builder, network, parser, configuration, engine.
#include "backend/tensorrt/sdk/build_engine.h"

#include <NvOnnxParser.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "backend/tensorrt/sdk/apply_config.h"
#include "backend/tensorrt/sdk/apply_network.h"
#include "base/files.h"
#include "base/strings.h"
#include "tensorrt/enumerations.h"

namespace assay::backend {
namespace {

using nvinfer1::INetworkDefinition;
using worker::Phase;

// Returns the parser's errors, each with its node: "MyOp: No importer registered for op (node 3, 'n3')".
std::string errors_of(const nvonnxparser::IParser& parser) {
  std::vector<std::string> errors;
  for (int i = 0; i < parser.getNbErrors(); ++i) {
    const nvonnxparser::IParserError& error = *parser.getError(i);
    const auto text = [](const char* words) { return std::string(words == nullptr ? "" : words); };
    std::string line = text(error.desc());
    const std::string name = text(error.nodeName());
    const std::string type = text(error.nodeOperator());
    if (!type.empty())
      line = fmt::format("{}: {} (node {}{})", type, line, error.node(), name.empty() ? "" : ", '" + name + "'");
    errors.push_back(std::move(line));
  }
  return base::join(errors, "; ");
}

Answer<void> set_parser_flags(const tensorrt::NetworkPlan& plan, nvonnxparser::IParser& parser) {
  for (const auto& [names, set] : {std::pair{&plan.parser_flags, true}, std::pair{&plan.cleared_parser_flags, false}}) {
    for (const std::string& name : *names) {
      const auto number = tensorrt::find_enumerator("OnnxParserFlag", name, "--onnx-flags");
      if (!number) return refuse(Phase::load, 0, number.error().message());
      const auto flag = static_cast<nvonnxparser::OnnxParserFlag>(*number);
      if (set) {
        parser.setFlag(flag);
      } else {
        parser.clearFlag(flag);
      }
    }
  }
  return {};
}

bool parse(const worker::ModelSource& model, nvonnxparser::IParser& parser) {
  if (const auto* file = std::get_if<worker::ModelFile>(&model)) {
    constexpr int kWarnings = 2;  // ILogger::Severity
    return parser.parseFromFile(file->path.c_str(), kWarnings);
  }
  const auto& bytes = std::get<worker::ModelBytes>(model);
  // External data is searched in the folder of the model's path.
  const std::string path =
      bytes.external_data_dir.empty() ? std::string() : (bytes.external_data_dir / "model.onnx").string();
  const std::string_view text = bytes.bytes.view();
  return parser.parse(text.data(), text.size(), path.empty() ? nullptr : path.c_str());
}

Answer<void> load_plugins(const tensorrt::NetworkPlan& plan, nvinfer1::IBuilder& builder, TensorRtSdk& sdk) {
  sdk.library.register_plugins(&sdk.logger);
  for (const std::string& file : plan.plugins) {
    sdk.logger.clear();
    if (builder.getPluginRegistry().loadLibrary(file.c_str()) != nullptr) continue;
    return tl::unexpected(sdk.logger.refused(Phase::load, fmt::format("TensorRT can't load the plug-ins {}", file)));
  }
  return {};
}

Answer<void> save_timing_cache(const std::string& file, const nvinfer1::IBuilderConfig& config) {
  const nvinfer1::ITimingCache* cache = config.getTimingCache();
  const std::unique_ptr<nvinfer1::IHostMemory> bytes(cache == nullptr ? nullptr : cache->serialize());
  if (bytes == nullptr) return refuse(Phase::build, 0, "TensorRT has no timing cache to save");
  const auto saved = base::write_file(file, {static_cast<const char*>(bytes->data()), bytes->size()});
  if (!saved) return refuse(Phase::build, 0, saved.error().message());
  return {};
}

// Returns the plan with the file that it extends: --save-timing-cache adds to an existing cache, unless another one is
// loaded.
tensorrt::ConfigPlan with_saved_cache(const TensorRtOptions& options) {
  tensorrt::ConfigPlan plan = options.config;
  const std::string& saved = options.engine.save_timing_cache;
  std::error_code code;
  if (plan.timing_cache.empty() && !saved.empty() && std::filesystem::exists(saved, code)) plan.timing_cache = saved;
  return plan;
}

}  // namespace

Answer<std::unique_ptr<nvinfer1::IHostMemory>> build_engine(const worker::ModelSource& model,
                                                            const TensorRtOptions& options, TensorRtSdk& sdk) {
  ASSAY_ASSIGN(const auto create_parser, sdk.library.open_parser());
  sdk.logger.clear();
  const std::unique_ptr<nvinfer1::IBuilder> builder(
      static_cast<nvinfer1::IBuilder*>(sdk.library.create_builder(&sdk.logger, sdk.library.number())));
  if (builder == nullptr) return tl::unexpected(sdk.logger.refused(Phase::start, "TensorRT made no builder"));
  ASSAY_TRY(load_plugins(options.network, *builder, sdk));
  constexpr std::uint32_t kStronglyTyped = 1U << 1U;  // NetworkDefinitionCreationFlag
  const std::unique_ptr<INetworkDefinition> network(
      builder->createNetworkV2(options.network.strongly_typed ? kStronglyTyped : 0));
  const std::unique_ptr<nvinfer1::IBuilderConfig> config(builder->createBuilderConfig());
  if (network == nullptr || config == nullptr) {
    return tl::unexpected(sdk.logger.refused(Phase::build, "TensorRT made no network"));
  }
  // Declared after the network, so that it ends first; the network refers to weights that it holds.
  const std::unique_ptr<nvonnxparser::IParser> parser(
      static_cast<nvonnxparser::IParser*>(create_parser(network.get(), &sdk.logger, NV_ONNX_PARSER_VERSION)));
  if (parser == nullptr) return tl::unexpected(sdk.logger.refused(Phase::load, "TensorRT made no parser"));
  ASSAY_TRY(set_parser_flags(options.network, *parser));
  sdk.logger.clear();
  if (!parse(model, *parser)) {
    const std::string errors = errors_of(*parser);
    if (!errors.empty()) return refuse(Phase::load, static_cast<int>(parser->getError(0)->code()), errors);
    return tl::unexpected(sdk.logger.refused(Phase::load, "TensorRT's parser doesn't accept the model"));
  }
  ASSAY_TRY(apply_network(options.network, *network));
  const bool saves_cache = !options.engine.save_timing_cache.empty();
  ASSAY_ASSIGN(const ConfigParts parts,
               apply_config(with_saved_cache(options), saves_cache, sdk, *builder, *network, *config));
  sdk.logger.clear();
  std::unique_ptr<nvinfer1::IHostMemory> engine(builder->buildSerializedNetwork(*network, *config));
  if (engine == nullptr) return tl::unexpected(sdk.logger.refused(Phase::build, "TensorRT built no engine"));
  if (saves_cache) ASSAY_TRY(save_timing_cache(options.engine.save_timing_cache, *config));
  return engine;
}

}  // namespace assay::backend
