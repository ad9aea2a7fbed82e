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
         "Log only messages of this level and above: " + base::join({kLevelNames.begin(), kLevelNames.end()}, ", ") +
             ". PATH:LEVEL is for one file or folder of the source code, e.g. reduce/judge:verbose; the "
             "longest path that matches counts. Overrides -v and -q")
      ->option_text("[PATH:]LEVEL")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_flag("--silent", silent_, "Log nothing")->group(kGroup);
  app.add_option("--log-format", format_,
                 "Change the format of the log, any of: timestamp, line-info (the source file and line that logs a "
                 "message), no-colors")
      ->option_text("FORMAT")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option("--log-file", file_, "Also write the log to this file")->option_text("FILE")->group(kGroup);
}

// "LEVEL" or "PATH:LEVEL".
base::Status LoggingOptions::set_level(const std::string& word, LogOptions& options) {
  const std::size_t colon = word.rfind(':');
  const std::string name = colon == std::string::npos ? word : word.substr(colon + 1);
  const auto level = parse_level(name);
  if (!level) {
    return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' is not a log level", name), "--verbosity",
                      "Use one of: " + base::join({kLevelNames.begin(), kLevelNames.end()}, ", "));
  }
  if (colon == std::string::npos) {
    options.least = *level;
  } else {
    options.paths.push_back({.path = word.substr(0, colon), .least = *level});
  }
  return {};
}

base::Expected<LogOptions> LoggingOptions::log_options(const Terminal& terminal) const {
  LogOptions options;
  const int level = static_cast<int>(Level::info) - verbose_ + quiet_;
  options.least = static_cast<Level>(std::clamp(level, 0, static_cast<int>(Level::critical)));
  for (const std::string& word : verbosity_) ASSAY_TRY(set_level(word, options));
  options.silent = silent_;
  options.colors = terminal.colors;
  for (const std::string& format : format_) {
    if (format == "timestamp") {
      options.timestamp = true;
    } else if (format == "no-colors") {
      options.colors = false;
    } else if (format == "line-info") {
      options.line_info = true;
    } else {
      return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' is not a log format", format), "--log-format",
                        "Use timestamp, line-info or no-colors");
    }
  }
  if (!file_.empty()) options.file = file_;
  return options;
}

}  // namespace assay::cli
