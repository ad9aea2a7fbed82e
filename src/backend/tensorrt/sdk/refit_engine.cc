#include "backend/tensorrt/sdk/refit_engine.h"

#include <NvOnnxParser.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/open_parser.h"
#include "backend/tensorrt/sdk/parser_errors.h"
#include "base/list_first.h"

namespace assay::backend {
namespace {

using worker::Phase;

bool set_weights(const worker::ModelSource& model, nvonnxparser::IParserRefitter& parser) {
  const std::string path = path_of(model);
  if (std::holds_alternative<worker::ModelFile>(model)) return parser.refitFromFile(path.c_str());
  const std::string_view text = std::get<worker::ModelBytes>(model).bytes.view();
  return parser.refitFromBytes(text.data(), text.size(), path.empty() ? nullptr : path.c_str());
}

// Returns the names of the engine's weights for which the model has none. TensorRT returns null for weights without a
// name.
std::vector<std::string> missing_weights(nvinfer1::IRefitter& refitter) {
  std::vector<const char*> names(static_cast<std::size_t>(refitter.getMissingWeights(0, nullptr)));
  refitter.getMissingWeights(static_cast<std::int32_t>(names.size()), names.data());
  std::vector<std::string> missing;
  for (const char* name : names) missing.emplace_back(name == nullptr ? "weights without a name" : name);
  return missing;
}

}  // namespace

Answer<void> refit_engine(const worker::ModelSource& model, nvinfer1::ICudaEngine& engine, TensorRtSdk& sdk) {
  if (!engine.isRefittable()) {
    return refuse(Phase::load, 0,
                  "the engine's weights can't be replaced: it was built without --refittable and --strip-plan");
  }
  ASSAY_ASSIGN(const auto create_parser, sdk.library.open_parser_refitter());
  sdk.logger.clear();
  // The parser is kept until the end: refitCudaEngine() reads the weights that it holds.
  const TensorRtLibrary::Refitters refitters = sdk.library.refitters_of(&engine);
  const std::unique_ptr<nvinfer1::IRefitter> refitter(
      refitters.create == nullptr
          ? nullptr
          : static_cast<nvinfer1::IRefitter*>(refitters.create(&engine, &sdk.logger, refitters.version)));
  if (refitter == nullptr) return tl::unexpected(sdk.logger.refused(Phase::load, "TensorRT made no refitter"));
  const std::unique_ptr<nvonnxparser::IParserRefitter> parser(
      static_cast<nvonnxparser::IParserRefitter*>(create_parser(refitter.get(), &sdk.logger, NV_ONNX_PARSER_VERSION)));
  if (parser == nullptr) return tl::unexpected(sdk.logger.refused(Phase::load, "TensorRT made no parser of weights"));
  if (!set_weights(model, *parser)) {
    auto refused = refused_by(*parser, "TensorRT doesn't accept the weights", sdk.logger);
    refused.failed.message += ". Give the model from which the engine was built";
    return tl::unexpected(std::move(refused));
  }
  if (const auto missing = missing_weights(*refitter); !missing.empty()) {
    return refuse(
        Phase::load, 0,
        fmt::format("the model lacks weights of the engine: {}. Give the model from which the engine was built",
                    base::list_first(missing, 5, ", ")));
  }
  if (refitter->refitCudaEngine()) return {};
  return tl::unexpected(sdk.logger.refused(Phase::load, "TensorRT doesn't accept the weights"));
}

// TensorRT calls the question an error if the engine has its weights. All engines without weights can be refitted, so
// most others aren't asked, and the error of the rest isn't shown.
Answer<void> check_has_weights([[maybe_unused]] const OpenedEngine& opened, [[maybe_unused]] TensorRtSdk& sdk) {
#if ASSAY_TENSORRT_SINCE_10(14)
  if (!opened.is_since({10, 14}) || !opened.engine->isRefittable()) return {};
  const auto silence = sdk.logger.silence();
  const std::int64_t bytes = opened.engine->getEngineStat(nvinfer1::EngineStat::kSTRIPPED_WEIGHTS_SIZE);
  if (bytes <= 0) return {};
  return refuse(Phase::load, 0,
                fmt::format("the engine was built without its weights (--strip-plan): {} bytes are missing. Give the "
                            "model from which it was built with --refit-from-onnx",
                            bytes));
#else
  return {};
#endif
}

}  // namespace assay::backend
