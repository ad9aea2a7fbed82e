#include "compare/compare_function.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "base/strings.h"
#include "stats/summary_text.h"

namespace assay::compare {
namespace {

// An element with NaN has no distance and fails, unless two NaNs are equal.
double measure_ulp(const OutputPair& pair, base::Log& log) {
  const stats::ErrorSummary& errors = pair.facts.errors();
  const bool has_nan = errors.nan.first != 0 || errors.nan.second != 0;
  if (pair.facts.equal_specials().nans ? errors.nan.mismatched != 0 : has_nan) {
    log.error("        NaN: {} in the first run, {} in the second", errors.nan.first, errors.nan.second);
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (errors.max_ulp != 0) {
    log.info("        Farthest apart at {}", stats::format_position(errors.max_ulp_at, pair.first().shape()));
  }
  return static_cast<double>(errors.max_ulp);
}

constexpr CompareFunction kFunctions[] = {
    {.name = "simple",
     .title = "Errors",
     .setting_rows = {kErrorStat, kAbsoluteTolerance, kRelativeTolerance, kErrorQuantile},
     .metric_rows = {"max_absdiff", "max_reldiff", "mean_absdiff", "mean_reldiff", "median_absdiff", "median_reldiff",
                     "quantile_absdiff", "quantile_reldiff"},
     .result_class = "OutputCompareResult",
     .threshold_class = "SimpleThreshold",
     .stores_verdict = true,
     .compare = compare_simple,
     .judge = judge_simple},
    {.name = "indices", .setting_rows = {kIndexTolerance}, .compare = compare_indices},
    {.name = "l2",
     .title = "L2 norm of the difference",
     .setting_rows = {{.name = "--l2-threshold",
                       .other_name = "--l2-tolerance",
                       .help = "Set the largest norm of the difference",
                       .default_value = 1e-5,
                       .least = 0}},
     .metric_rows = {"l2_norm"},
     .result_class = "L2Result",
     .threshold_class = "L2Threshold",
     .measure = [](const OutputPair& pair, base::Log&) { return pair.facts.errors().l2(); }},
    {.name = "cosine_similarity",
     .title = "Cosine similarity",
     .bound = Bound::at_least,
     .setting_rows = {{.name = "--cosine-similarity-threshold", .help = "Set the least value", .default_value = 0.997}},
     .metric_rows = {"cosine_similarity"},
     .result_class = "CosineSimilarityResult",
     .threshold_class = "CosineSimilarityThreshold",
     .measure = [](const OutputPair& pair, base::Log&) { return pair.facts.errors().cosine(); }},
    {.name = "psnr",
     .title = "Peak signal to noise",
     .unit = " dB",
     .bound = Bound::at_least,
     .setting_rows = {{.name = "--psnr-threshold",
                       .other_name = "--psnr-tolerance",
                       .help = "Set the least value in dB",
                       .default_value = 30}},
     .metric_rows = {"psnr"},
     .result_class = "PsnrResult",
     .threshold_class = "PsnrThreshold",
     .measure = [](const OutputPair& pair, base::Log&) { return pair.facts.errors().psnr(); }},
    {.name = "snr",
     .title = "Signal to noise",
     .unit = " dB",
     .bound = Bound::at_least,
     .setting_rows = {{.name = "--snr-threshold",
                       .other_name = "--snr-tolerance",
                       .help = "Set the least value in dB",
                       .default_value = 20}},
     .metric_rows = {"snr"},
     .result_class = "SnrResult",
     .threshold_class = "SnrThreshold",
     .measure = [](const OutputPair& pair, base::Log&) { return pair.facts.errors().snr(); }},
    {.name = "perceptual_metrics",
     .title = "LPIPS",
     .setting_rows = {{.name = "--lpips-threshold",
                       .other_name = "--lpips-tolerance",
                       .help = "Set the largest distance of images (LPIPS)",
                       .default_value = 0.1,
                       .least = 0}},
     .metric_rows = {"lpips"},
     .result_class = "PerceptualMetricsResult",
     .threshold_class = "LpipsThreshold",
     .compare = compare_perceptual},
    {.name = "ulp",
     .title = "Largest ULP distance",
     .setting_rows = {{.name = "--ulp-tolerance",
                       .help = "Allow a distance of up to this many representable values",
                       .default_value = 0,
                       .least = 0}},
     .metric_rows = {"max_ulp"},
     .measure = measure_ulp},
};

// One name for two functions.
struct Group {
  std::string_view name;
  std::array<std::string_view, 2> members;
};
constexpr std::array kGroups = {
    Group{"distance_metrics", {"l2", "cosine_similarity"}},
    Group{"quality_metrics", {"psnr", "snr"}},
};

std::vector<std::string_view> members(std::string_view name) {
  const auto group = std::ranges::find(kGroups, name, &Group::name);
  if (group == kGroups.end()) return {name};
  return {group->members.begin(), group->members.end()};
}

}  // namespace

std::span<const Setting> CompareFunction::settings() const {
  const auto* const end = std::ranges::find(setting_rows, std::string_view(), &Setting::name);
  return {setting_rows, end};
}

std::span<const std::string_view> CompareFunction::metrics() const {
  return {metric_rows, std::ranges::find(metric_rows, std::string_view())};
}

std::span<const CompareFunction> compare_functions() {
  return kFunctions;
}

const CompareFunction& compare_function(std::string_view name) {
  const auto* const function = std::ranges::find(kFunctions, name, &CompareFunction::name);
  assert(function != std::end(kFunctions));
  return *function;
}

std::vector<std::string> compare_function_names() {
  std::vector<std::string> names;
  for (const CompareFunction& function : kFunctions) names.emplace_back(function.name);
  for (const Group& group : kGroups) names.emplace_back(group.name);
  return names;
}

base::Expected<std::vector<const CompareFunction*>> find_compare_functions(const std::vector<std::string>& names) {
  std::vector<const CompareFunction*> found;
  for (const std::string& name : names) {
    for (const std::string_view member : members(name)) {
      const auto* const function = std::ranges::find(kFunctions, member, &CompareFunction::name);
      if (function == std::end(kFunctions)) {
        return base::fail(base::ErrorKind::invalid_input, "'" + name + "' is not a known comparison", "--compare",
                          "Use one of: " + base::join(compare_function_names(), ", "));
      }
      if (std::ranges::find(found, function) == found.end()) found.push_back(function);
    }
  }
  return found;
}

Judgement compare_pair(const CompareFunction& function, const OutputPair& pair, const CompareOptions& options,
                       base::Log& log) {
  return function.compare != nullptr ? function.compare(pair, options, log)
                                     : judge_number(function, pair, function.measure(pair, log), options, log);
}

Judgement judge_number(const CompareFunction& function, const OutputPair& pair, double value,
                       const CompareOptions& options, base::Log& log) {
  const Measured measured{&function, {value}, thresholds_of(function, pair.name, options)};
  const bool passed = judge(function, measured.values, measured.thresholds).value_or(false);
  log.log(passed ? base::Level::info : base::Level::error, "        {}: {}{} (limit: {:g}{})", function.title,
          stats::format_number(value), function.unit, measured.thresholds[0], function.unit);
  return {passed, measured};
}

std::optional<bool> judge(const CompareFunction& function, std::span<const std::optional<double>> values,
                          std::span<const double> thresholds) {
  if (function.judge != nullptr) return function.judge(values, thresholds);
  if (values.empty() || !values[0]) return std::nullopt;
  return function.bound == Bound::at_least ? *values[0] >= thresholds[0] : *values[0] <= thresholds[0];
}

std::vector<double> thresholds_of(const CompareFunction& function, std::string_view output,
                                  const CompareOptions& options) {
  std::vector<double> thresholds;
  for (const Setting& setting : function.settings()) thresholds.push_back(options.of(setting, output));
  return thresholds;
}

bool judges_elements(const CompareFunction& function, std::string_view output, const CompareOptions& options) {
  return function.judge == judge_simple && options.error_stat(output) == ErrorStat::elemwise;
}

}  // namespace assay::compare
