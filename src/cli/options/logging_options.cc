#include "cli/options/logging_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/strings.h"

namespace assay::cli {
namespace {

using base::Level;

// Names on the command line, in the order of base::Level.
constexpr std::array kLevelNames = {"ultra_verbose", "super_verbose", "extra_verbose", "verbose", "info",
                                    "start",         "finish",        "warning",       "error",   "critical"};

std::optional<Level> parse_level(const std::string& name) {
  const auto at = std::ranges::find(kLevelNames, base::to_lower(name));
  if (at == kLevelNames.end()) return std::nullopt;
  return static_cast<Level>(at - kLevelNames.begin());
}

}  // namespace

void LoggingOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Logging";
  app.add_flag("-v,--verbose", verbose_, "Log more; may be repeated (-vv, -vvv, ...)")->group(kGroup);
  app.add_flag("-q,--quiet", quiet_, "Log less; may be repeated")->group(kGroup);
  app.add_option(
         "--verbosity", verbosity_,
         "Log only messages of this level and above: " + base::join({kLevelNames.begin(), kLevelNames.end()}, ", "))
      ->expected(1, -1)
      ->group(kGroup);
  app.add_flag("--silent", silent_, "Log nothing")->group(kGroup);
  app.add_option("--log-format", format_, "Change the format of the log, any of: timestamp, no-colors")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option("--log-file", file_, "Also write the log to this file")->group(kGroup);
}

base::Expected<LogOptions> LoggingOptions::log_options(bool terminal) const {
  LogOptions options;
  int level = static_cast<int>(Level::info) - verbose_ + quiet_;
  for (const std::string& name : verbosity_) {
    const auto parsed = parse_level(name);
    if (!parsed) {
      return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' is not a log level", name), "--verbosity",
                        "Levels per path (path:level) are not supported. Use one of: " +
                            base::join({kLevelNames.begin(), kLevelNames.end()}, ", "));
    }
    level = static_cast<int>(*parsed);
  }
  options.least = static_cast<Level>(std::clamp(level, 0, static_cast<int>(Level::critical)));
  options.silent = silent_;
  options.colors = terminal;
  for (const std::string& format : format_) {
    if (format == "timestamp") {
      options.timestamp = true;
    } else if (format == "no-colors") {
      options.colors = false;
    } else if (format == "line-info") {
      return base::fail(base::ErrorKind::unsupported, "messages carry no source lines", "--log-format line-info",
                        "Use timestamp or no-colors");
    } else {
      return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' is not a log format", format), "--log-format",
                        "Use timestamp or no-colors");
    }
  }
  if (!file_.empty()) options.file = file_;
  return options;
}

}  // namespace assay::cli
