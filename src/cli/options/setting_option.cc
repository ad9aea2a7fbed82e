#include "cli/options/setting_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string_view>

#include "base/strings.h"
#include "cli/options/offered_words.h"
#include "cli/options/validators.h"
#include "cli/parse/one_value_per_name.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;
using Form = backend::EngineSetting::Form;

base::Status set_entry(RunnerSettings& settings, const backend::EngineSetting& setting, const std::string& entry) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fail(ErrorKind::invalid_input, "'" + entry + "' lacks a key or a value", std::string(setting.flag()),
                "Write KEY=VALUE");
  }
  settings.options[fmt::format("{}.{}", setting.key, entry.substr(0, equals))] = entry.substr(equals + 1);
  return {};
}

void set_value(RunnerSettings& settings, const backend::EngineSetting& setting, const std::string& value) {
  if (setting.key == backend::kLibrary) {
    settings.library = value;
  } else {
    settings.options[std::string(setting.key)] = value;
  }
}

// Returns what stands for the setting's value in help texts.
const char* value_of(const backend::EngineSetting& setting) {
  if (setting.form == Form::entries) return "KEY=VALUE";
  if (setting.form == Form::number) return setting.key == "device" ? "INDEX" : "COUNT";
  return setting.key == backend::kLibrary || setting.files ? "FILE" : "NAME";
}

// Returns the help text, with the allowed values.
std::string setting_help(const backend::EngineSetting& setting) {
  if (setting.values.empty()) return std::string(setting.help);
  std::vector<std::string_view> names;
  for (const backend::EngineSetting::Value& value : setting.values) names.push_back(value.name);
  return fmt::format("{}: {} (default: {})", setting.help, fmt::join(names, ", "), setting.default_value);
}

// Also stores the values that shells complete.
void check_values(CLI::Option& option, const backend::EngineSetting& setting) {
  std::vector<std::string> words;
  for (const backend::EngineSetting::Value& value : setting.values) words.emplace_back(value.name);
  if (!words.empty()) option.check(one_of(words));
  if (setting.form == Form::number) option.check(whole_number(0));
  words.insert(words.end(), setting.usual.begin(), setting.usual.end());
  if (!words.empty()) option.check(offer(words));
}

}  // namespace

void add_setting(CLI::App& app, const backend::EngineRow& engine, const backend::EngineSetting& setting,
                 std::vector<std::string>& values) {
  CLI::Option* option = app.add_option(std::string(setting.flags), values, setting_help(setting));
  option->option_text(value_of(setting))->group(std::string(engine.name));
  check_values(*option, setting);
  if (setting.is_one_word()) {
    option->allow_extra_args(false);
  } else {
    option->expected(1, -1);
  }
  if (setting.form == Form::entries) take_one_value_per_name(option, '=');
}

base::Status give_values(const std::vector<std::string>& values, const std::vector<SettingTaker>& takers) {
  for (std::size_t i = 0; i < takers.size(); ++i) {
    const auto& [settings, setting] = takers[i];
    if (setting->form == Form::entries) {
      for (const std::string& entry : values) ASSAY_TRY(set_entry(*settings, *setting, entry));
    } else if (setting->form == Form::list) {
      set_value(*settings, *setting, base::join(values, ","));
    } else if (values.size() == 1 || values.size() == takers.size()) {
      set_value(*settings, *setting, values[values.size() == 1 ? 0 : i]);
    } else {
      return fail(ErrorKind::invalid_input, fmt::format("{} values for {} engines", values.size(), takers.size()),
                  std::string(setting->flag()), "Give one value for all engines, or one for each");
    }
  }
  return {};
}

}  // namespace assay::cli
