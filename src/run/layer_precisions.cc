#include "run/layer_precisions.h"

#include <fmt/format.h>

#include <array>

#include "run/tensorrt_settings.h"

namespace assay::run {
namespace {

constexpr std::array kFloat16 = {"--fp16", "--best"};
constexpr std::array kBelowFloat16 = {"--fp8", "--int8", "--best"};
constexpr std::array kDla = {"--use-dla"};  // which TensorRT 10 lets compute in float16, without --int8
constexpr std::array kBelowFloat32 = {"--fp16", "--bf16", "--fp8", "--int8", "--best", kDla[0]};
constexpr const char* kPrecisions = "--layer-precisions";
constexpr const char* kConstraints = "--precision-constraints";

}  // namespace

base::Status check_lower_precision(const EngineSetup& engine, const std::string& kept) {
  using base::ErrorKind;
  using base::fail;
  if (engine.spec.options.contains("--strongly-typed")) {
    return fail(ErrorKind::invalid_input, "a strongly typed network has the precisions of the model",
                "--strongly-typed", "Leave it out");
  }
  if (kept == "float32") {
    if (has_any(engine, kBelowFloat32)) return {};
    return fail(ErrorKind::invalid_input, "TensorRT may compute in float32 only", {},
                "Allow a lower precision: --fp16, --bf16, --fp8 or --int8. TensorRT 11 has none: use --onnxrt");
  }
  if (has_any(engine, kBelowFloat16) && has_any(engine, kFloat16)) return {};
  return fail(ErrorKind::invalid_input, "layers can only stay in float16 if TensorRT may use it and a lower precision",
              "--precision float16", "Add --fp16 and --int8 or --fp8");
}

bool allows_float16(const EngineSetup& engine) {
  return has_any(engine, kFloat16) || (has_any(engine, kDla) && !has_any(engine, kBelowFloat16));
}

std::vector<std::string> layer_precision_words(const std::vector<std::string>& layers, const std::string& kept) {
  std::vector<std::string> words;
  for (const std::string& layer : layers) words.push_back(fmt::format("{}:{}", layer, kept));
  return words;
}

base::Expected<EngineSetup> with_layer_precisions(EngineSetup engine, const std::vector<std::string>& words) {
  if (!words.empty()) ASSAY_TRY(add_setting(engine, kPrecisions, words));
  if (!engine.spec.options.contains(kConstraints)) set_setting(engine, kConstraints, {"obey"});
  return engine;
}

EngineSetup in_float32(EngineSetup engine) {
  for (const char* name : kBelowFloat32) engine.spec.options.erase(name);
  for (const char* name : {"--dla-core", "--allow-gpu-fallback", "--tf32", kPrecisions, kConstraints}) {
    engine.spec.options.erase(name);
  }
  return engine;
}

}  // namespace assay::run
