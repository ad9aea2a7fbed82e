#include "run/engine_words.h"

#include <fmt/format.h>

#include "backend/engine_table.h"
#include "backend/find_setting.h"
#include "base/strings.h"
#include "tensorrt/encode_settings.h"

namespace assay::run {
namespace {

using backend::EngineRow;
using Words = std::vector<std::string>;

// Returns the row whose flag has these options: two flags of Python differ in the module.
const EngineRow* find_row(const worker::EngineSpec& spec) {
  const EngineRow* found = nullptr;
  for (const EngineRow& row : backend::engine_rows()) {
    if (row.kind != spec.kind) continue;
    const auto option = spec.options.find(std::string(row.value_key));
    const bool fits = row.fixed_value.empty() || (option != spec.options.end() && option->second == row.fixed_value);
    if (fits && (found == nullptr || (found->fixed_value.empty() && !row.fixed_value.empty()))) found = &row;
  }
  return found;
}

// "fp16=on" for a setting of TensorRT as the worker's option has it.
std::string tensorrt_setting(const std::string& name, const std::string& value) {
  const auto given = tensorrt::decode_settings({{name, value}});
  const Words words = given ? given->words(name) : Words();
  return fmt::format("{}={}", name.substr(2), words.empty() ? "on" : base::join(words, ","));
}

}  // namespace

UsualLibraries usual_libraries(const backend::EngineSearch& search) {
  UsualLibraries libraries;
  for (const EngineRow& row : backend::engine_rows()) {
    if (const auto library = backend::find_engine(row, {}, search)) libraries.emplace(row.kind, *library);
  }
  return libraries;
}

Words engine_words(const EngineSetup& engine, const UsualLibraries& usual) {
  const EngineRow* row = find_row(engine.spec);
  if (row == nullptr) return {};
  std::string settings;
  Words more;
  const auto library = usual.find(engine.spec.kind);
  const bool is_usual = library != usual.end() && library->second == engine.spec.library;
  if (!is_usual && row->library.file.empty()) {
    more = {"--python-interpreter", engine.spec.library.string()};
  } else if (!is_usual) {
    settings += ",lib=" + engine.spec.library.string();
  }
  for (const auto& [key, value] : engine.spec.options) {
    if (row->has_tensorrt_settings && key.starts_with("--")) settings += "," + tensorrt_setting(key, value);
    const std::string name = backend::short_name(*row, key);
    if (!name.empty()) settings += fmt::format(",{}={}", name, value);
  }
  if (!settings.empty()) settings[0] = ':';
  Words words = {std::string(row->flag) + (settings.empty() ? "" : "=" + settings)};
  if (!row->value.empty()) words.push_back(engine.spec.options.at(std::string(row->value_key)));
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace assay::run
