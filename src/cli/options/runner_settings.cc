#include "cli/options/runner_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "backend/find_setting.h"
#include "base/strings.h"
#include "tensorrt/encode_settings.h"
#include "tensorrt/settings.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

// A comma ends a setting only if the next part is a setting, too.
std::vector<std::string> split_settings(std::string_view text) {
  std::vector<std::string> parts;
  for (const std::string& part : base::split(text, ',')) {
    if (part.find('=') == std::string::npos && !parts.empty()) {
      parts.back() += "," + part;
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

// Sets one of TensorRT's settings, if there is one of this name: fp16=on, trt-outputs=a. Returns whether there is.
base::Expected<bool> set_tensorrt(const std::string& name, const std::string& value, RunnerSettings& settings) {
  for (const auto& group : tensorrt::all_settings()) {
    for (const tensorrt::Setting& setting : group) {
      if (setting.name() != "--" + name) continue;
      if (!setting.takes_value() && value != "on") {
        return fail(ErrorKind::invalid_input, fmt::format("'{}' isn't a value of {}", value, name), "--trt",
                    fmt::format("Use {}=on, or leave it out", name));
      }
      tensorrt::GivenSettings given;
      given.add(setting.name(), setting.takes_value() ? tensorrt::Words{value} : tensorrt::Words{});
      settings.options.merge(tensorrt::encode_settings(given));
      return true;
    }
  }
  return false;
}

}  // namespace

base::Expected<NamedSettings> parse_runner(std::string_view text, const backend::EngineRow& row) {
  const std::size_t colon = text.find(':');
  NamedSettings parsed{.name = std::string(text.substr(0, colon)), .settings = {}};
  const bool plain = std::ranges::all_of(
      parsed.name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-'; });
  if (!plain || text.empty()) {
    return fail(
        ErrorKind::invalid_input, fmt::format("'{}' is not a valid name for a runner", parsed.name),
        std::string(row.flag),
        fmt::format("Use {0}=NAME or {0}=NAME:SETTING=VALUE,..., with letters, digits, '.', '_' and '-' in NAME",
                    row.flag));
  }
  if (colon == std::string_view::npos) return parsed;
  for (const std::string& part : split_settings(text.substr(colon + 1))) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) {
      return fail(ErrorKind::invalid_input, fmt::format("'{}' is not a setting", part), std::string(row.flag),
                  fmt::format("Use SETTING=VALUE. The settings of {} are: {}", row.name, backend::list_settings(row)));
    }
    if (row.has_tensorrt_settings) {
      ASSAY_ASSIGN(const bool set, set_tensorrt(part.substr(0, equals), part.substr(equals + 1), parsed.settings));
      if (set) continue;
    }
    const std::string name = part.substr(0, equals);
    const std::optional<std::string> option = backend::find_option(row, name);
    if (!option) {
      return fail(ErrorKind::invalid_input, fmt::format("{} has no setting '{}'", row.name, name),
                  std::string(row.flag), fmt::format("Its settings are: {}", backend::list_settings(row)));
    }
    if (*option == backend::kLibrary) {
      parsed.settings.library = part.substr(equals + 1);
    } else {
      parsed.settings.options[*option] = part.substr(equals + 1);
    }
  }
  return parsed;
}

}  // namespace assay::cli
