#include "backend/tensorrt/sdk/open_parser.h"

#include <utility>

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

Answer<OpenedParser> open_parser(const tensorrt::NetworkPlan& plan, TensorRtSdk& sdk) {
  ASSAY_ASSIGN(const auto create_parser, sdk.library.open_parser());
  ASSAY_TRY(load_plugins(plan.plugins, sdk));
  OpenedParser opened;
  sdk.logger.clear();
  opened.builder.reset(static_cast<nvinfer1::IBuilder*>(sdk.library.create_builder(&sdk.logger, sdk.library.number())));
  if (opened.builder == nullptr) return tl::unexpected(sdk.logger.refused(Phase::start, "TensorRT made no builder"));
  constexpr auto kStronglyTyped = 1U << static_cast<unsigned>(NetworkDefinitionCreationFlag::kSTRONGLY_TYPED);
  opened.network.reset(opened.builder->createNetworkV2(plan.strongly_typed ? kStronglyTyped : 0));
  if (opened.network == nullptr) return tl::unexpected(sdk.logger.refused(Phase::build, "TensorRT made no network"));
  opened.parser.reset(
      static_cast<nvonnxparser::IParser*>(create_parser(opened.network.get(), &sdk.logger, NV_ONNX_PARSER_VERSION)));
  if (opened.parser == nullptr) return tl::unexpected(sdk.logger.refused(Phase::load, "TensorRT made no parser"));
  ASSAY_TRY(set_parser_flags(plan, sdk, *opened.parser));
  return opened;
}

Answer<void> parse(const worker::ModelSource& model, nvonnxparser::IParser& parser, TensorRtSdk& sdk) {
  sdk.logger.clear();
  if (fill(model, parser)) return {};
  return tl::unexpected(refused_by(parser, "TensorRT's parser doesn't accept the model", sdk.logger));
}

}  // namespace assay::backend
