#include "backend/tensorrt/options.h"

#include <fmt/format.h>

#include <charconv>

#include "tensorrt/encode_settings.h"

namespace assay::backend {
namespace {

using worker::Phase;

template <class T>
Answer<T> answer(base::Expected<T> parsed) {
  if (parsed) return *std::move(parsed);
  return refuse(Phase::start, 0, parsed.error().message());
}

Answer<int> parse_device(const std::string& text) {
  int device = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), device);
  if (code == std::errc() && end == text.data() + text.size() && device >= 0) return device;
  return refuse(Phase::start, 0, fmt::format("'{}' isn't the number of a GPU", text));
}

// The worker is a C++ program: what scripts do, it can't.
Answer<void> refuse_the_rest(const tensorrt::GivenSettings& given) {
  for (const char* script :
       {"--trt-config-script", "--trt-config-postprocess-script", "--trt-network-postprocess-script"}) {
    if (!given.has(script)) continue;
    return refuse(
        Phase::start, 0,
        fmt::format("{}: this worker runs no Python. Build the engine in Python, beginning with `assay template "
                    "trt-network` and `trt-config`, save it, and give it as the model",
                    script));
  }
  return {};
}

// An engine that exists is only run.
Answer<void> refuse_building(const tensorrt::GivenSettings& given) {
  const auto refuse_setting = [](std::string_view name) {
    return refuse(
        Phase::start, 0,
        fmt::format("{} says how an engine is built, and the model is one that was built. Leave it out", name));
  };
  for (const auto& group : {tensorrt::config_settings(), tensorrt::parser_settings(), tensorrt::network_settings()}) {
    for (const tensorrt::Setting& setting : group) {
      if (given.has(setting.name())) return refuse_setting(setting.name());
    }
  }
  if (given.has("--save-timing-cache")) return refuse_setting("--save-timing-cache");
  return {};
}

}  // namespace

Answer<TensorRtOptions> parse_tensorrt_options(const std::map<std::string, std::string>& options) {
  TensorRtOptions parsed;
  std::map<std::string, std::string> settings;
  std::string save_built;
  for (const auto& [name, value] : options) {
    if (name.starts_with("--") || name == "input_shapes") {
      settings[name] = value;
    } else if (name == "device") {
      ASSAY_ASSIGN(parsed.device, parse_device(value));
    } else if (name == "model_type" && (value == "onnx" || value == "engine")) {
      parsed.model_is_engine = value == "engine";
    } else if (name == "save_built") {
      save_built = value;
    } else if (name == "calibration_data") {
      parsed.calibration_data = value;
    } else if (name == "save_layers") {
      parsed.save_layers = value;
    } else if (name == "save_capability") {
      parsed.save_capability = value;
    } else if (name == "save_network") {
      parsed.save_network = value;
    } else {
      return refuse(
          Phase::start, 0,
          fmt::format("TensorRT's worker has no option '{}' with the value '{}': it has device, model_type "
                      "(onnx or engine), input_shapes, save_built, save_layers, save_capability, "
                      "save_network and TensorRT's "
                      "settings",
                      name, value));
    }
  }
  ASSAY_ASSIGN(const tensorrt::GivenSettings given, answer(tensorrt::decode_settings(settings)));
  ASSAY_TRY(refuse_the_rest(given));
  if (parsed.model_is_engine) ASSAY_TRY(refuse_building(given));
  ASSAY_ASSIGN(const tensorrt::Shapes shapes,
               answer(tensorrt::parse_shapes(given.words("input_shapes"), "--input-shapes")));
  ASSAY_ASSIGN(parsed.network, answer(tensorrt::plan_network(given, "")));
  ASSAY_ASSIGN(parsed.config, answer(tensorrt::plan_config(given, shapes)));
  ASSAY_ASSIGN(parsed.engine, answer(tensorrt::plan_engine(given)));
  if (!save_built.empty()) parsed.engine.save_engine = save_built;
  return parsed;
}

}  // namespace assay::backend
