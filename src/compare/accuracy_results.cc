// Files have the layout of Polygraphy's JSON, so that both tools can read them. Polygraphy has no metrics for ULP
// distances: in its part of the file such comparisons are plain verdicts, and the metrics are stored separately under
// "assay_metrics". Metrics say which function measured them; if no output has any, as strings, the name of the function
// is stored as "assay_compare".
#include "compare/accuracy_results.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "base/atomic_file.h"
#include "tensor/json.h"
#include "tensor/json_writer.h"

namespace assay::compare {
namespace {

using base::ErrorKind;
using base::fail;
using nlohmann::ordered_json;
using tensor::JsonWriter;

constexpr std::string_view kClass = "polygraphy_class";
constexpr std::string_view kOurs = "assay_metrics";
constexpr std::string_view kName = "assay_compare";

void write_thresholds(JsonWriter& json, const Measured& measured) {
  json.key("thresholds");
  json.begin_object();
  const std::span<const Setting> settings = measured.function->settings();
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (settings[i].key.empty()) continue;
    json.key(settings[i].key);
    if (settings[i].words.empty()) {
      json.number(measured.thresholds[i]);
    } else {
      json.string(settings[i].words[static_cast<std::size_t>(measured.thresholds[i])]);
    }
  }
  const std::string_view threshold_class = measured.function->threshold_class;
  if (!threshold_class.empty()) json.string(kClass, threshold_class);
  json.end_object();
}

// Verdicts are computed from the metrics when a file is loaded. Element by element that isn't possible, so the verdict
// is stored next to the metrics.
void write_judgement(JsonWriter& json, const Judgement& judgement) {
  if (!judgement.measured) return json.boolean(judgement.passed);
  const Measured& measured = *judgement.measured;
  const CompareFunction& function = *measured.function;
  json.begin_object();
  for (std::size_t i = 0; i < function.metrics().size(); ++i) {
    json.key(function.metrics()[i]);
    if (measured.values[i]) {
      json.number(*measured.values[i]);
    } else {
      json.null();
    }
  }
  write_thresholds(json, measured);
  if (function.stores_verdict) {
    json.key("passed");
    if (judge(function, measured.values, measured.thresholds)) {
      json.null();
    } else {
      json.boolean(judgement.passed);
    }
  }
  if (!function.result_class.empty()) json.string(kClass, function.result_class);
  json.end_object();
}

void write_iterations(JsonWriter& json, const PairAccuracy& pair, bool verdicts_only) {
  json.begin_array();
  for (const auto& outputs : pair.iterations) {
    json.begin_object();
    for (const OutputJudgement& output : outputs) {
      json.key(output.output);
      if (verdicts_only) {
        json.boolean(output.judgement.passed);
      } else {
        write_judgement(json, output.judgement);
      }
    }
    json.end_object();
  }
  json.end_array();
}

// Returns true for metrics that Polygraphy doesn't have. They are stored separately; Polygraphy's part holds the
// verdicts.
bool only_ours(const FunctionAccuracy& function) {
  return function.function != nullptr && function.function->result_class.empty();
}

// Returns the function of the first metrics, or null.
const CompareFunction* function_of(const FunctionAccuracy& results) {
  for (const PairAccuracy& pair : results.pairs) {
    for (const auto& outputs : pair.iterations) {
      for (const OutputJudgement& output : outputs) {
        if (output.judgement.measured) return output.judgement.measured->function;
      }
    }
  }
  return nullptr;
}

void write_function(JsonWriter& json, const FunctionAccuracy& function) {
  json.begin_object();
  json.key("lst");
  json.begin_array();
  for (const PairAccuracy& pair : function.pairs) {
    json.begin_array();
    json.begin_array();
    json.string(pair.first);
    json.string(pair.second);
    json.end_array();
    write_iterations(json, pair, only_ours(function));
    json.end_array();
  }
  json.end_array();
  if (only_ours(function)) {
    json.key(kOurs);
    json.begin_array();
    for (const PairAccuracy& pair : function.pairs) write_iterations(json, pair, false);
    json.end_array();
  }
  if (function.function != nullptr && function_of(function) == nullptr) json.string(kName, function.function->name);
  json.string("aggregation", function.average ? "average" : "per_sample");
  json.string(kClass, "AccuracyResult");
  json.end_object();
}

void write_results(JsonWriter& json, const AccuracyResults& results) {
  json.begin_object();
  json.key("lst");
  json.begin_array();
  for (const FunctionAccuracy& function : results.functions) write_function(json, function);
  json.end_array();
  json.string(kClass, "AccuracyResults");
  json.end_object();
}

tl::unexpected<base::Error> malformed(std::string what) {
  return fail(ErrorKind::invalid_input, std::move(what), {}, "Use a file written by --save-accuracy-results");
}

// Returns the value of a setting, or its default if the file holds none or an unknown word.
base::Expected<double> read_threshold(const Setting& setting, const ordered_json& thresholds) {
  const auto value = thresholds.find(setting.key);
  if (value == thresholds.end()) return setting.default_value;
  if (setting.words.empty()) return tensor::json_number(*value);
  const auto word = std::ranges::find(setting.words, value->is_string() ? value->get<std::string>() : std::string());
  return word == setting.words.end() ? setting.default_value : static_cast<double>(word - setting.words.begin());
}

base::Expected<std::vector<double>> read_thresholds(const CompareFunction& function, const ordered_json& object) {
  const auto at = object.find("thresholds");
  if (at == object.end() || !at->is_object()) return malformed("metrics without thresholds");
  std::vector<double> thresholds;
  for (const Setting& setting : function.settings()) {
    ASSAY_ASSIGN(const double threshold, read_threshold(setting, *at));
    thresholds.push_back(threshold);
  }
  return thresholds;
}

// Returns the function that has these metrics, or null.
const CompareFunction* find_function(const ordered_json& object) {
  for (const CompareFunction& function : compare_functions()) {
    const auto metrics = function.metrics();
    const bool has_all = std::ranges::all_of(metrics, [&](std::string_view name) { return object.contains(name); });
    if (has_all && !metrics.empty()) return &function;
  }
  return nullptr;
}

// Returns the function that an AccuracyResult without metrics names, or null.
const CompareFunction* named_function(const ordered_json& object) {
  const auto name = object.find(kName);
  if (name == object.end() || !name->is_string()) return nullptr;
  const auto functions = compare_functions();
  const auto named = std::ranges::find(functions, name->get<std::string>(), &CompareFunction::name);
  return named == functions.end() ? nullptr : &*named;
}

// Sets `unknown_class` if these are metrics that Assay doesn't know.
base::Expected<Judgement> read_judgement(const ordered_json& value, std::string& unknown_class) {
  if (value.is_boolean()) return Judgement{value.get<bool>()};
  if (!value.is_object()) return malformed("a result that is neither a verdict nor metrics");
  const CompareFunction* function = find_function(value);
  if (function == nullptr) {
    unknown_class = tensor::polygraphy_class(value);
    if (unknown_class.empty()) return malformed("metrics without a class");
    return Judgement{false};
  }
  Measured measured{function, {}, {}};
  for (const std::string_view name : function->metrics()) {
    const ordered_json& metric = *value.find(name);
    measured.values.emplace_back();
    if (metric.is_null()) continue;
    ASSAY_ASSIGN(measured.values.back(), tensor::json_number(metric));
  }
  ASSAY_ASSIGN(measured.thresholds, read_thresholds(*function, value));
  Judgement judgement;
  const auto passed = value.find("passed");
  const bool stored = passed != value.end() && passed->is_boolean() && passed->get<bool>();
  judgement.passed = judge(*function, measured.values, measured.thresholds).value_or(stored);
  judgement.measured = std::move(measured);
  return judgement;
}

base::Status read_iterations(const ordered_json& list, PairAccuracy& pair, std::string& unknown_class) {
  if (!list.is_array()) return malformed("a pair of runners without iterations");
  pair.iterations.clear();
  for (const ordered_json& iteration : list) {
    if (!iteration.is_object()) return malformed("an iteration that isn't a list of outputs");
    auto& outputs = pair.iterations.emplace_back();
    for (const auto& [output, value] : iteration.items()) {
      if (output == kClass) continue;
      ASSAY_ASSIGN(Judgement judgement, read_judgement(value, unknown_class));
      outputs.push_back({output, std::move(judgement)});
    }
  }
  return {};
}

base::Expected<PairAccuracy> read_pair(const ordered_json& entry, std::string& unknown_class) {
  const auto is_pair = [](const ordered_json& value) { return value.is_array() && value.size() == 2; };
  if (!is_pair(entry) || !is_pair(entry[0]) || !entry[0][0].is_string() || !entry[0][1].is_string()) {
    return malformed("an entry that is not two runners and their iterations");
  }
  PairAccuracy pair{entry[0][0], entry[0][1], {}};
  ASSAY_TRY(read_iterations(entry[1], pair, unknown_class));
  return pair;
}

// Returns true if all metrics are those of `results.function`: they are judged by its thresholds.
bool has_one_function(const FunctionAccuracy& results) {
  for (const PairAccuracy& pair : results.pairs) {
    for (const auto& outputs : pair.iterations) {
      for (const OutputJudgement& output : outputs) {
        const auto& measured = output.judgement.measured;
        if (measured && measured->function != results.function) return false;
      }
    }
  }
  return true;
}

base::Expected<FunctionAccuracy> read_function(const ordered_json& object) {
  FunctionAccuracy function;
  const auto list = object.find("lst");
  if (tensor::polygraphy_class(object) != "AccuracyResult" || list == object.end() || !list->is_array()) {
    return malformed("not a file of accuracy results: an entry isn't an AccuracyResult");
  }
  const auto aggregation = object.find("aggregation");
  function.average = aggregation != object.end() && *aggregation == "average";
  const auto ours = object.find(kOurs);
  const bool has_ours = ours != object.end() && ours->is_array() && ours->size() == list->size();
  for (const ordered_json& entry : *list) {
    ASSAY_ASSIGN(PairAccuracy pair, read_pair(entry, function.unknown_class));
    if (has_ours) ASSAY_TRY(read_iterations((*ours)[function.pairs.size()], pair, function.unknown_class));
    function.pairs.push_back(std::move(pair));
  }
  function.function = function_of(function);
  if (function.function == nullptr) function.function = named_function(object);
  if (!has_one_function(function)) return malformed("an AccuracyResult with metrics of several comparison functions");
  return function;
}

base::Expected<AccuracyResults> read_results(const std::filesystem::path& path) {
  ASSAY_ASSIGN(const auto document, tensor::JsonDocument::open(path));
  const ordered_json& root = document.root();
  const auto list = tensor::polygraphy_class(root) == "AccuracyResults" ? root.find("lst") : root.end();
  if (!root.is_object() || list == root.end() || !list->is_array()) return malformed("not a file of accuracy results");
  AccuracyResults results;
  for (const ordered_json& object : *list) {
    ASSAY_ASSIGN(FunctionAccuracy function, read_function(object));
    results.functions.push_back(std::move(function));
  }
  return results;
}

}  // namespace

base::Status save_accuracy_results(const std::filesystem::path& path, const AccuracyResults& results) {
  ASSAY_ASSIGN(auto file, base::AtomicFile::create(path));
  JsonWriter json([&file](std::string_view bytes) { return file.write(bytes); });
  write_results(json, results);
  ASSAY_TRY(json.finish());
  return file.commit();
}

base::Expected<AccuracyResults> load_accuracy_results(const std::filesystem::path& path) {
  auto results = read_results(path);
  if (results || !results.error().where.empty()) return results;
  return fail(std::move(results).error().within(path.string()));
}

}  // namespace assay::compare
