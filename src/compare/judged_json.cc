#include "compare/judged_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_text.h"
#include "compare/compare_function.h"

namespace assay::compare {
namespace {

using Json = nlohmann::ordered_json;

// Returns the key of a setting: "l2_threshold" for --l2-threshold.
std::string key_of(const Setting& setting) {
  std::string key(setting.name.substr(setting.name.find_first_not_of('-')));
  std::ranges::replace(key, '-', '_');
  return key;
}

Json threshold_json(const Setting& setting, double value) {
  return setting.words.empty() ? Json(value) : Json(setting.words[static_cast<std::size_t>(value)]);
}

Json output_json(const CompareFunction* function, const JudgedOutput& output) {
  Json metrics = Json::object();
  for (std::size_t i = 0; i < output.metrics.size(); ++i) {
    metrics[std::string(function->metrics()[i])] = output.metrics[i] ? Json(*output.metrics[i]) : Json();
  }
  Json thresholds = Json::object();
  for (std::size_t i = 0; i < output.thresholds.size(); ++i) {
    const Setting& setting = function->settings()[i];
    thresholds[key_of(setting)] = threshold_json(setting, output.thresholds[i]);
  }
  return {{"output", output.output},
          {"iteration", output.iteration ? Json(*output.iteration) : Json()},
          {"passed", output.passed},
          {"metrics", std::move(metrics)},
          {"thresholds", std::move(thresholds)}};
}

}  // namespace

std::string to_json(const JudgedResults& results, bool is_judged) {
  Json comparisons = Json::array();
  for (const JudgedPair& pair : results.pairs) {
    Json outputs = Json::array();
    for (const JudgedOutput& output : pair.outputs) outputs.push_back(output_json(pair.function, output));
    comparisons.push_back({{"function", pair.function == nullptr ? "indices" : pair.function->name},
                           {"first", pair.first},
                           {"second", pair.second},
                           {"outputs", std::move(outputs)}});
  }
  const Json json = {{"passed", is_judged ? Json(results.passed) : Json()}, {"comparisons", std::move(comparisons)}};
  return base::json_text(json, 2);
}

}  // namespace assay::compare
