#include "report/program_engines.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "base/strings.h"
#include "templates/embedded.h"

namespace assay::report {
namespace {

using backend::EngineSetting;
using Form = EngineSetting::Form;

// Returns the values of all options "KEY.name", by name.
std::map<std::string, std::string> entries_of(const EngineSetting& setting, const Options& options) {
  const std::string prefix = std::string(setting.key) + ".";
  std::map<std::string, std::string> entries;
  for (const auto& [key, value] : options) {
    if (key.starts_with(prefix)) entries[key.substr(prefix.size())] = value;
  }
  return entries;
}

std::string value_of(const EngineSetting& setting, const Options& options) {
  const auto found = options.find(std::string(setting.key));
  return found == options.end() ? std::string(setting.default_value) : found->second;
}

// Returns the number of an allowed value in the engine's API; an unknown one counts as the default.
int number_of(const EngineSetting& setting, const std::string& name) {
  const auto at = std::ranges::find_if(setting.values, [&](const EngineSetting::Value& value) {
    return base::to_lower(value.name) == base::to_lower(name);
  });
  return at == setting.values.end() ? number_of(setting, std::string(setting.default_value)) : at->number;
}

Constant constant_of(const EngineSetting& setting, const Options& options) {
  Constant constant{std::string(setting.constant), value_of(setting, options), std::string(setting.constant_comment)};
  if (setting.form == Form::list) constant.value = words_of(setting, options);
  if (setting.form == Form::entries) constant.value = entries_of(setting, options);
  if (setting.form == Form::number) constant.value = std::atoi(value_of(setting, options).c_str());
  if (!setting.values.empty()) constant.value = number_of(setting, value_of(setting, options));
  return constant;
}

}  // namespace

const EngineParts* find_engine_parts(std::string_view kind) {
  const auto* row = std::ranges::find(kEngineParts, kind, &EngineParts::kind);
  return row == std::ranges::end(kEngineParts) ? nullptr : row;
}

ProgramEngine engine_of(const ReproInput& input) {
  const std::string_view kind = input.engine.kind.empty() ? backend::engine_rows().front().kind : input.engine.kind;
  const backend::EngineRow* row = backend::find_engine_row(kind);
  const EngineParts* parts = find_engine_parts(kind);
  assert(row != nullptr && parts != nullptr && "there are programs for the kind");
  return {*row, *parts};
}

std::vector<std::string> words_of(const EngineSetting& setting, const Options& options) {
  std::vector<std::string> words;
  for (const std::string& word : base::split(value_of(setting, options), ',')) {
    if (!base::trim(word).empty()) words.emplace_back(base::trim(word));
  }
  return words;
}

std::vector<Constant> engine_constants(const ReproInput& input) {
  return engine_constants(engine_of(input).row, input.engine.options, input.model.graph());
}

std::vector<Constant> engine_constants(const backend::EngineRow& engine, const Options& options,
                                       const onnx::GraphProto& graph) {
  std::vector<Constant> constants;
  for (const EngineSetting& setting : engine.settings) {
    if (!setting.constant.empty()) constants.push_back(constant_of(setting, options));
  }
  if (engine.renames_outputs) {
    std::vector<std::string> outputs;
    for (const onnx::ValueInfoProto& output : graph.output()) outputs.push_back(output.name());
    constants.push_back({"OUTPUTS", outputs, "of the model, in its order"});
  }
  return constants;
}

std::vector<std::string> command_words(const backend::EngineRow& engine, const Options& options) {
  std::vector<std::string> words;
  for (const EngineSetting& setting : engine.settings) {
    if (setting.constant.empty()) continue;
    std::vector<std::string> values;
    for (const auto& [key, value] : entries_of(setting, options)) values.push_back(key + "=" + value);
    if (setting.form == Form::list) {
      values = words_of(setting, options);
    } else if (const auto found = options.find(std::string(setting.key)); found != options.end()) {
      values.push_back(found->second);
    }
    if (values.empty()) continue;
    words.emplace_back(setting.flag());
    words.insert(words.end(), values.begin(), values.end());
  }
  return words;
}

}  // namespace assay::report
