#include "cli/options/tensorrt_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backend/engine_table.h"
#include "backend/find_engines.h"
#include "cli/options/offered_words.h"
#include "cli/options/validators.h"
#include "cli/parse/one_value_per_name.h"
#include "run/ask_network.h"
#include "run/tensorrt_settings.h"
#include "tensorrt/enumerations.h"

namespace assay::cli {
namespace {

bool is_tensorrt(const run::EngineSetup& engine) {
  return run::is_tensorrt(engine.spec);
}

// Without an interpreter only scripts fail, and the worker says so, unless the user has named one.
base::Status find_script_python(std::map<std::string, std::string>& options, const Installation& installation) {
  const std::string key(backend::kScriptPython);
  const auto named = options.find(key);
  const auto type = options.find("model_type");
  const bool has_scripts =
      (type != options.end() && type->second == "script") ||
      std::ranges::any_of(options, [](const auto& option) { return option.first.ends_with("-script"); });
  if (named == options.end() && !has_scripts) return {};
  const auto python = backend::find_python(named == options.end() ? "" : named->second, installation.engines);
  if (python) {
    options[key] = python->string();
  } else if (named != options.end()) {
    return base::fail(python.error());
  }
  return {};
}

}  // namespace

void TensorRtOptions::add_to(CLI::App& app, std::span<const tensorrt::Setting> settings, const std::string& group) {
  for (const tensorrt::Setting& setting : settings) {
    const std::string flags(setting.flags);
    const std::string name(setting.name());
    CLI::Option* option = nullptr;
    if (!setting.takes_value()) {
      option = app.add_flag_callback(
          flags, [this, name] { given_.add(name, {}); }, std::string(setting.help));
    } else {
      const bool many = setting.form == tensorrt::Setting::Form::words;
      const bool none = setting.form == tensorrt::Setting::Form::choices;
      // Called for each occurrence of the option, with its words; an option without words has an empty one.
      const auto add = [this, name](const tensorrt::Words& words) {
        given_.add(name, words == tensorrt::Words{""} ? tensorrt::Words{} : words);
      };
      option = app.add_option_function<tensorrt::Words>(flags, add, std::string(setting.help));
      option->trigger_on_parse()->option_text(std::string(setting.placeholder));
      option->expected(none ? 0 : 1, many || none ? -1 : 1);
    }
    if (setting.form == tensorrt::Setting::Form::number) option->check(whole_number());
    if (setting.has_names()) take_one_value_per_name(option);
    if (!setting.type.empty()) {
      const std::vector<std::string> names = tensorrt::enumerator_names(setting.type);
      option->check(one_of(names))->check(offer(names));
    }
    option->group(group);
  }
}

tensorrt::Shapes without_dynamic_dimensions(const std::map<std::string, Dimensions>& input_shapes) {
  tensorrt::Shapes shapes;
  for (const auto& [name, dimensions] : input_shapes) {
    tensorrt::Shape& shape = shapes[name];
    for (const model::Dimension& dimension : dimensions) shape.push_back(dimension.value >= 0 ? dimension.value : 1);
  }
  return shapes;
}

base::Status set_tensorrt_model(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                                const Installation& installation) {
  if (std::ranges::none_of(engines, is_tensorrt)) return {};  // no other engine needs the model for its shapes
  ASSAY_ASSIGN(const auto input_shapes, model.generated_shapes());
  tensorrt::Words words;
  for (const auto& [name, shape] : without_dynamic_dimensions(input_shapes)) {
    words.push_back(fmt::format("{}:[{}]", name, fmt::join(shape, ",")));
  }
  for (run::EngineSetup& engine : engines) {
    if (!is_tensorrt(engine)) continue;
    if (model.is_engine()) engine.spec.options["model_type"] = "engine";
    if (model.is_network_script()) {
      engine.spec.options["model_type"] = "script";
      if (!model.function().empty()) engine.spec.options["function"] = model.function();
    }
    if (!words.empty()) run::set_setting(engine, "input_shapes", words);
    ASSAY_TRY(find_script_python(engine.spec.options, installation));
  }
  return {};
}

bool only_tensorrt(const std::vector<run::EngineSetup>& engines) {
  return !engines.empty() && std::ranges::all_of(engines, is_tensorrt);
}

}  // namespace assay::cli
