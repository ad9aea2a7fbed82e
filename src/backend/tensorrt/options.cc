#include "backend/tensorrt/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/files.h"
#include "tensorrt/encode_settings.h"
#include "tensorrt/removed_settings.h"

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

Answer<void> refuse_removed(const tensorrt::GivenSettings& given, int major) {
  if (major < 11) return {};
  for (const auto& group : tensorrt::all_settings()) {
    if (std::string why = tensorrt::removed_in_11(given, group); !why.empty()) {
      return refuse(Phase::start, 0, std::move(why));
    }
  }
  return {};
}

// Settings for building that say how an engine is run, too. An engine that was built with the first one needs it in
// each run.
constexpr std::array<std::string_view, 2> kForBoth = {"--mark-unfused-tensors-as-debug-tensors", "--dla-core"};

// An engine that exists is only run.
Answer<void> refuse_building(const tensorrt::GivenSettings& given) {
  const auto refuse_setting = [](std::string_view name) {
    return refuse(
        Phase::start, 0,
        fmt::format("{} says how an engine is built, and the model is one that was built. Leave it out", name));
  };
  for (const auto& group : {tensorrt::config_settings(), tensorrt::parser_settings(), tensorrt::network_settings()}) {
    for (const tensorrt::Setting& setting : group) {
      const bool is_for_both = std::ranges::find(kForBoth, setting.name()) != kForBoth.end();
      if (given.has(setting.name()) && !is_for_both) return refuse_setting(setting.name());
    }
  }
  if (given.has("--save-timing-cache")) return refuse_setting("--save-timing-cache");
  return {};
}

// TensorRT would ignore the setting. A script may set a timing cache.
Answer<void> check_timing_cache(const tensorrt::GivenSettings& given, const tensorrt::ConfigPlan& config) {
  constexpr std::string_view kOption = "--error-on-timing-cache-miss";
  const bool has_cache = given.has("--load-timing-cache") || given.has("--save-timing-cache");
  if (!given.has(kOption) || has_cache || config.begin || config.change) return {};
  return refuse(Phase::start, 0,
                fmt::format("{} has no effect without a timing cache. Add --load-timing-cache", kOption));
}

// Plans the network and the configuration. `function` makes the network; empty: the parser does.
Answer<void> plan_build(const tensorrt::GivenSettings& given, const std::string& function, TensorRtOptions& options) {
  ASSAY_ASSIGN(options.network, answer(function.empty() ? tensorrt::plan_network(given, "")
                                                        : tensorrt::plan_scripted_network(given, {"", function})));
  ASSAY_ASSIGN(tensorrt::Shapes shapes, answer(tensorrt::parse_shapes(given.words("input_shapes"), "--input-shapes")));
  // The profiles of a script's configuration are complete without those of --input-shapes.
  const bool asks = given.has("--trt-min-shapes") || given.has("--trt-opt-shapes") || given.has("--trt-max-shapes");
  if (given.has("--trt-config-script") && !asks) shapes.clear();
  ASSAY_ASSIGN(const tensorrt::Shapes values,
               answer(tensorrt::parse_shapes_or_values(given.words("shape_values"), "--load-inputs")));
  for (const auto& [input, loaded] : values) shapes.erase(input);
  ASSAY_ASSIGN(options.config, answer(tensorrt::plan_config(given, shapes)));
  options.config.shape_values = values;
  for (const std::string& file : options.config.plugins) {
    std::vector<std::string>& loaded = options.network.plugins;
    if (std::ranges::find(loaded, file) == loaded.end()) loaded.push_back(file);
  }
  options.has_scripts =
      options.network.begin || !options.network.changes.empty() || options.config.begin || options.config.change;
  const bool uses_dla = options.model_is_engine || options.config.use_dla || options.has_scripts;
  if (options.config.dla_core && !uses_dla) {
    return refuse(Phase::start, 0,
                  "--dla-core has no effect without --use-dla, which lets the engine run on the accelerator");
  }
  ASSAY_TRY(check_timing_cache(given, options.config));
  if (!options.has_scripts) return {};
  if (!options.save_capability.empty()) {
    return refuse(Phase::start, 0, "scripts have no effect on which nodes the parser takes. Leave them out");
  }
  if (!options.python.empty()) return {};
  return refuse(Phase::start, 0, "scripts need a Python interpreter: name one with --python-interpreter");
}

}  // namespace

Answer<TensorRtOptions> parse_tensorrt_options(const std::map<std::string, std::string>& options, int major) {
  TensorRtOptions parsed;
  std::map<std::string, std::string> settings;
  std::string save_built;
  bool model_is_script = false;
  std::string function = "load_network";
  for (const auto& [name, value] : options) {
    if (name.starts_with("--") || name == "input_shapes" || name == "shape_values" || name == "outputs") {
      settings[name] = value;
    } else if (name == "device") {
      ASSAY_ASSIGN(parsed.device, parse_device(value));
    } else if (name == "model_type" && (value == "onnx" || value == "engine" || value == "script")) {
      parsed.model_is_engine = value == "engine";
      model_is_script = value == "script";
    } else if (name == "function") {
      function = value;
    } else if (name == "python") {
      parsed.python = value;
    } else if (name == "save_built") {
      save_built = value;
    } else if (name == "build_only" && value == "on") {
      parsed.only_builds = true;
    } else if (name == "calibration_data") {
      parsed.calibration_data = value;
    } else if (name == "save_layers") {
      parsed.save_layers = value;
    } else if (name == "save_capability") {
      parsed.save_capability = value;
    } else if (name == "save_network") {
      parsed.save_network = value;
    } else if (name == "save_weights") {
      parsed.save_weights = value;
    } else {
      return refuse(
          Phase::start, 0,
          fmt::format("TensorRT's worker has no option '{}' with the value '{}': it has device, model_type "
                      "(onnx, engine or script), function, python, input_shapes, shape_values, outputs, "
                      "calibration_data, save_built, build_only (on), save_layers, save_capability, save_network, "
                      "save_weights and TensorRT's settings",
                      name, value));
    }
  }
  ASSAY_ASSIGN(const tensorrt::GivenSettings given, answer(tensorrt::decode_settings(settings)));
  ASSAY_TRY(refuse_removed(given, major));
  if (parsed.model_is_engine) ASSAY_TRY(refuse_building(given));
  ASSAY_TRY(plan_build(given, model_is_script ? function : "", parsed));
  for (tensorrt::Profile& profile : parsed.config.profiles) {
    for (auto& [input, range] : profile.inputs) range.is_optional |= given.has("--trt-optional-profiles");
  }
  ASSAY_ASSIGN(parsed.engine, answer(tensorrt::plan_engine(given)));
  if (!save_built.empty()) parsed.engine.save_engine = save_built;
  if (parsed.only_builds && (parsed.model_is_engine || parsed.engine.save_engine.empty())) {
    return refuse(Phase::start, 0, "build_only needs a model to build, and save_built, a file for the engine");
  }
  return parsed;
}

tensorrt::ConfigPlan with_existing_cache(const TensorRtOptions& options) {
  tensorrt::ConfigPlan plan = options.config;
  if (plan.timing_cache.empty()) plan.timing_cache = options.engine.save_timing_cache;
  if (!base::exists(plan.timing_cache)) plan.timing_cache.clear();
  return plan;
}

std::string describe_unsaved_cache(const std::string& file) {
  return fmt::format(
      "the timing cache wasn't saved to {}: during the build, another program has written this file, for another GPU "
      "or version of TensorRT. Name another file",
      file);
}

std::vector<std::string> warnings_about(const TensorRtOptions& options) {
  std::vector<std::string> warnings;
  const std::string& file = options.config.timing_cache;
  if (!file.empty() && file != options.engine.save_timing_cache && !base::exists(file)) {
    warnings.push_back(fmt::format("there is no timing cache {}, so TensorRT times all kernels itself", file));
  }
  const auto has_constraints = [&](const char* flag) {
    return std::ranges::find(options.config.flags, flag) != options.config.flags.end();
  };
  const bool counts = options.has_scripts || options.config.use_dla || has_constraints("OBEY_PRECISION_CONSTRAINTS") ||
                      has_constraints("PREFER_PRECISION_CONSTRAINTS");
  if (!options.network.layer_precisions.empty() && !counts) {
    warnings.emplace_back("--layer-precisions is only a hint unless --precision-constraints is obey or prefer");
  }
  return warnings;
}

}  // namespace assay::backend
