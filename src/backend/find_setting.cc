#include "backend/find_setting.h"

#include <fmt/format.h>

#include <vector>

#include "base/strings.h"

namespace assay::backend {
namespace {

struct Found {
  const EngineSetting* setting = nullptr;
  std::string_view entry{};  // KEY, if the setting takes KEY=VALUE
};

Found find_setting(const EngineRow& row, std::string_view option) {
  if (option == kLibrary) return {};  // not an option of the worker
  for (const EngineSetting& setting : row.settings) {
    if (setting.form != EngineSetting::Form::entries) {
      if (option == setting.key) return {&setting};
    } else if (option.starts_with(setting.key) && option.substr(setting.key.size()).starts_with('.')) {
      return {&setting, option.substr(setting.key.size() + 1)};
    }
  }
  return {};
}

}  // namespace

std::string short_name(const EngineRow& row, std::string_view option) {
  const auto [setting, entry] = find_setting(row, option);
  if (setting == nullptr) return {};
  return entry.empty() ? std::string(setting->name) : fmt::format("{}.{}", setting->name, entry);
}

std::optional<std::string> find_option(const EngineRow& row, std::string_view short_name) {
  for (const EngineSetting& setting : row.settings) {
    if (setting.form != EngineSetting::Form::entries && short_name == setting.name) return std::string(setting.key);
    const std::string prefix = std::string(setting.name) + ".";
    if (setting.form == EngineSetting::Form::entries && short_name.starts_with(prefix) &&
        short_name.size() > prefix.size()) {
      return fmt::format("{}.{}", setting.key, short_name.substr(prefix.size()));
    }
  }
  return std::nullopt;
}

std::string list_settings(const EngineRow& row) {
  std::vector<std::string> names;
  for (const EngineSetting& setting : row.settings) {
    names.push_back(std::string(setting.name) + (setting.form == EngineSetting::Form::entries ? ".KEY" : ""));
  }
  return base::join(names, ", ") +
         (row.has_tensorrt_settings ? ", and TensorRT's options without dashes, such as fp16=on" : "");
}

std::string option_words(const EngineRow& row, const EngineOption& option) {
  const auto [setting, entry] = find_setting(row, option.key);
  if (setting == nullptr) return {};
  const std::string_view flag = setting->flag();
  return entry.empty() ? fmt::format("{} {}", flag, option.value) : fmt::format("{} {}={}", flag, entry, option.value);
}

}  // namespace assay::backend
