// Each setting of a plan becomes one or a few statements, and what the plan leaves open isn't mentioned, so that the
// script stays short.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/python_string.h"
#include "tensorrt/scripts/python_scripts.h"
#include "tensorrt/scripts/script_text.h"

namespace assay::tensorrt {
namespace {

using base::python_string;

std::string tuple(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

void add_list(const std::string& function, const ConfigPlan::List& list, ScriptBody& body) {
  const std::string names = enumerators(list.type, list.names);
  if (function == "set_tactic_sources") {
    body.add("config.set_tactic_sources(sum(1 << int(source) for source in set({})))", names);
  } else if (function == "set_preview_feature") {
    body.add("for feature in trt.PreviewFeature.__members__.values():");
    body.add("    config.set_preview_feature(feature, feature in {})", names);
  } else {
    body.add("for flag in trt.QuantizationFlag.__members__.values():");
    body.add("    change = config.set_quantization_flag if flag in {} else config.clear_quantization_flag", names);
    body.add("    change(flag)");
  }
}

// Returns the statement that adds a profile.
std::string add_profile(const Profile& profile, const Shapes& shape_values) {
  std::vector<std::string> items;
  std::vector<std::string> optional;
  for (const auto& [input, range] : profile.inputs) {
    items.push_back(
        fmt::format("{}: ({}, {}, {})", python_string(input), tuple(range.min), tuple(range.opt), tuple(range.max)));
    if (range.is_optional) optional.push_back(input);
  }
  std::vector<std::string> values;
  for (const auto& [input, numbers] : shape_values) {
    values.push_back(fmt::format("{}: {}", python_string(input), tuple(numbers)));
  }
  return fmt::format("add_profile(builder, network, config, {{{}}}{}{})", fmt::join(items, ", "),
                     optional.empty() ? "" : fmt::format(", {}", quoted(optional)),
                     values.empty() ? "" : fmt::format(", values={{{}}}", fmt::join(values, ", ")));
}

// Scripts calibrate from a cache only.
bool reads_calibration(const ConfigPlan& plan) {
  return plan.calibrator && !plan.calibrator->cache.empty();
}

std::string calibrator_class(const Calibrator& calibrator) {
  std::string text = fmt::format(R"(

class Calibrator(trt.{}):
    """Calibrates from a cache only."""

    def __init__(self):
        super().__init__()

    def get_batch_size(self):
        return 1

    def get_batch(self, names):
        return None

    def read_calibration_cache(self):
        with open({}, "rb") as file:
            return file.read()

    def write_calibration_cache(self, cache):
        pass
)",
                                 calibrator.base, python_string(calibrator.cache));
  if (calibrator.base == kLegacyCalibrator) {
    text += fmt::format(R"(
    def get_quantile(self):
        return {}

    def get_regression_cutoff(self):
        return {}

    def read_histogram_cache(self, length):
        return None

    def write_histogram_cache(self, data):
        pass
)",
                        calibrator.quantile, calibrator.regression_cutoff);
  }
  return text;
}

// Returns a comment that says which GPUs don't have the precision of a flag; empty for all others. TensorRT's Python
// module can't tell.
std::string_view missing_on(std::string_view flag) {
  if (flag == "BF16") return "  # remove this line for GPUs with a compute capability below 8.0";
  return flag == "INT8" ? "  # remove this line for GPUs with the compute capability 10.3" : "";
}

ScriptBody config_body(const ConfigPlan& plan) {
  ScriptBody body;
  if (plan.begin) {
    body.add("config = {}", call(*plan.begin, "builder, network"));
    body.add("if config is None:");
    body.add("    raise ValueError({})", python_string(fmt::format("{}() of {} must return the configuration",
                                                                   plan.begin->function, plan.begin->file)));
  } else {
    body.add("config = builder.create_builder_config()");
  }
  for (const Profile& profile : plan.profiles) body.add("{}", add_profile(profile, plan.shape_values));
  if (plan.profiles.empty() && !plan.begin) {
    body.add("if needs_profile(network):");
    body.add("    {}", add_profile({}, plan.shape_values));
  }
  for (const std::string& flag : plan.flags) body.add("config.set_flag(trt.BuilderFlag.{})", flag);
  for (const std::string& flag : plan.flags_of_best) {
    body.add("config.set_flag(trt.BuilderFlag.{}){}", flag, missing_on(flag));
  }
  if (!plan.flags_of_10.empty()) {
    body.add("if int(trt.__version__.split(\".\")[0]) < 11:");
    for (const std::string& flag : plan.flags_of_10) body.add("    config.set_flag(trt.BuilderFlag.{})", flag);
  }
  for (const std::string& flag : plan.cleared) body.add("config.clear_flag(trt.BuilderFlag.{})", flag);
  for (const auto& [property, number] : plan.numbers) body.add("config.{} = {}", property, number);
  for (const auto& [property, choice] : plan.choices)
    body.add("config.{} = trt.{}.{}", property, choice.type, choice.name);
  for (const auto& [function, list] : plan.lists) add_list(function, list, body);
  for (const auto& [pool, bytes] : plan.pool_limits) {
    body.add("config.set_memory_pool_limit(trt.MemoryPoolType.{}, {})", pool, bytes);
  }
  if (plan.use_dla) {
    body.add("config.default_device_type = trt.DeviceType.DLA");
  }
  if (plan.use_dla || plan.dla_core) body.add("config.DLA_core = {}", plan.dla_core.value_or(0));
  if (!plan.plugins.empty()) {
    body.add("config.plugins_to_serialize = {}{}", plan.begin ? "config.plugins_to_serialize + " : "",
             quoted(plan.plugins));
  }
  if (reads_calibration(plan)) body.add("config.int8_calibrator = Calibrator()");
  if (!plan.save_tactics.empty()) {
    body.add("config.algorithm_selector = TacticRecorder({})", python_string(plan.save_tactics));
  }
  if (!plan.load_tactics.empty()) {
    body.add("config.algorithm_selector = TacticReplayer({})", python_string(plan.load_tactics));
    body.add("config.set_flag(trt.BuilderFlag.REJECT_EMPTY_ALGORITHMS)");
  }
  if (!plan.timing_cache.empty()) {
    body.add("try:");
    body.add("    with open({}, \"rb\") as file:", python_string(plan.timing_cache));
    body.add("        cache = config.create_timing_cache(file.read())");
    body.add("except FileNotFoundError:  # TensorRT then times all kernels itself");
    body.add("    cache = config.create_timing_cache(b\"\")");
    body.add("if cache is None or not config.set_timing_cache(cache, ignore_mismatch=False):");
    body.add("    raise RuntimeError(\"the timing cache belongs to another device or version of TensorRT\")");
  }
  if (plan.change) body.add("{}", call(*plan.change, "builder, network, config"));
  return body;
}

}  // namespace

std::string config_script(const ConfigPlan& plan) {
  const ScriptBody body = config_body(plan);
  return begin_script("Creates a TensorRT builder configuration. Change load_config() as you like.", body.text(),
                      plan.needs_10) +
         (reads_calibration(plan) ? calibrator_class(*plan.calibrator) : "") +
         "\n\ndef load_config(builder, network):\n"
         "    \"\"\"Returns the configuration with which the builder builds an engine from the network.\"\"\"\n" +
         body.text() + "    # Change the configuration here.\n    return config\n";
}

}  // namespace assay::tensorrt
