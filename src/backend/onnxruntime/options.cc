#include "backend/onnxruntime/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <string_view>

#include "backend/engine_table.h"
#include "base/absolute_path.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

using worker::Phase;

constexpr std::string_view kLevel = "graph_optimization_level";

Answer<void> set_providers(OnnxRuntimeOptions& options, const std::string& value) {
  for (const std::string& part : base::split(value, ',')) {
    const std::string_view name = base::trim(part);
    if (!name.empty()) options.providers.emplace_back(name);
  }
  return {};
}

// The dynamic loader searches a name without a slash elsewhere, so such a file in the current folder gets its whole
// path.
Answer<void> set_custom_ops(OnnxRuntimeOptions& options, const std::string& value) {
  for (const std::string& part : base::split(value, ',')) {
    const std::filesystem::path library(base::trim(part));
    if (library.empty()) continue;
    std::error_code code;
    options.custom_ops.push_back(std::filesystem::exists(library, code) ? base::absolute_path(library) : library);
  }
  return {};
}

Answer<void> set_level(OnnxRuntimeOptions& options, const std::string& value) {
  std::vector<std::string_view> names;
  for (const EngineSetting::Value& level : find_engine_setting(*find_engine_row("onnxruntime"), kLevel).values) {
    if (base::to_lower(level.name) == base::to_lower(value)) {
      options.graph_optimization_level = level.number;
      return {};
    }
    names.push_back(level.name);
  }
  return refuse(Phase::start, 0,
                fmt::format("there is no optimisation level '{}'. Use one of {}", value, fmt::join(names, ", ")));
}

template <int OnnxRuntimeOptions::*kMember, int kMost>
Answer<void> set_number(OnnxRuntimeOptions& options, const std::string& value) {
  int number = -1;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 0 || number > kMost) {
    return refuse(Phase::start, 0, fmt::format("'{}' is not a number from 0 to {}", value, kMost));
  }
  options.*kMember = number;
  return {};
}

Answer<void> set_save_built(OnnxRuntimeOptions& options, const std::string& value) {
  options.save_built = value;
  return {};
}

Answer<void> set_report_optimizers(OnnxRuntimeOptions& options, const std::string& value) {
  options.report_optimizers = value == "1";
  return {};
}

struct Option {
  std::string_view name;
  Answer<void> (*set)(OnnxRuntimeOptions&, const std::string&);
};
constexpr std::array kOptions = {
    Option{"providers", set_providers},
    Option{"custom_ops", set_custom_ops},
    Option{kLevel, set_level},
    Option{"intra_op_threads", set_number<&OnnxRuntimeOptions::intra_op_threads, 4096>},
    Option{"inter_op_threads", set_number<&OnnxRuntimeOptions::inter_op_threads, 4096>},
    Option{"log_severity", set_number<&OnnxRuntimeOptions::log_severity, 4>},
    Option{"save_built", set_save_built},
    Option{"report_optimizers", set_report_optimizers},
};

// Options whose names begin like this are entries of a map.
struct Entries {
  std::string_view prefix;
  std::map<std::string, std::string> OnnxRuntimeOptions::*member;
};
constexpr std::array kEntries = {
    Entries{"config.", &OnnxRuntimeOptions::config},
    Entries{"provider_options.", &OnnxRuntimeOptions::provider_options},
};

// Returns what the user calls the option.
std::string flag_of(const std::string& name) {
  for (const EngineSetting& setting : find_engine_row("onnxruntime")->settings) {
    if (setting.key == name) return std::string(setting.flag());
  }
  return "option " + name;
}

Answer<void> set_option(OnnxRuntimeOptions& options, const std::string& name, const std::string& value) {
  for (const Entries& entries : kEntries) {
    if (name.starts_with(entries.prefix) && name.size() > entries.prefix.size()) {
      (options.*entries.member)[name.substr(entries.prefix.size())] = value;
      return {};
    }
  }
  std::vector<std::string_view> names;
  for (const Option& option : kOptions) {
    if (option.name == name) {
      auto set = option.set(options, value);
      if (!set) set.error().failed.message = fmt::format("{}: {}", flag_of(name), set.error().failed.message);
      return set;
    }
    names.push_back(option.name);
  }
  return refuse(
      Phase::start, 0,
      fmt::format("ONNX Runtime's worker has no option '{}': it has {}, config.KEY and provider_options.PROVIDER.KEY",
                  name, fmt::join(names, ", ")));
}

}  // namespace

Answer<OnnxRuntimeOptions> parse_onnxruntime_options(const std::map<std::string, std::string>& options) {
  OnnxRuntimeOptions parsed;
  for (const auto& [name, value] : options) ASSAY_TRY(set_option(parsed, name, value));
  return parsed;
}

}  // namespace assay::backend
