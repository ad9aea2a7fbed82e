#include "cli/options/logging_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/strings.h"
#include "cli/options/offered_words.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using base::Level;

constexpr auto kGroup = "Logging";

// Names on the command line, in the order of base::Level.
constexpr std::array kLevelNames = {"ultra_verbose", "super_verbose", "extra_verbose", "verbose", "info",
                                    "start",         "finish",        "warning",       "error",   "critical"};

std::optional<Level> parse_level(const std::string& name) {
  const auto at = std::ranges::find(kLevelNames, base::to_lower(name));
  if (at == kLevelNames.end()) return std::nullopt;
  return static_cast<Level>(at - kLevelNames.begin());
}

struct Format {
  std::string_view name;
  std::string_view note;  // for the help; may be empty
  void (*set)(LogOptions&);
};
constexpr std::array kFormats = {
    Format{"timestamp", "", [](LogOptions& options) { options.timestamp = true; }},
    Format{"line-info", " (the source file and line that logs a message)",
           [](LogOptions& options) { options.line_info = true; }},
    Format{"no-colors", "", [](LogOptions& options) { options.colors = false; }},
};

// Returns the formats, with their notes if `with_notes`.
std::vector<std::string> format_names(bool with_notes) {
  std::vector<std::string> names;
  for (const Format& format : kFormats) {
    names.push_back(std::string(format.name) + (with_notes ? std::string(format.note) : ""));
  }
  return names;
}

std::vector<std::string> level_names() {
  return {kLevelNames.begin(), kLevelNames.end()};
}

// Returns whether the file begins like a model, an archive or a library: text has no zero bytes.
bool is_binary(const std::string& file) {
  std::string head(4096, ' ');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  return head.find('\0') != std::string::npos;
}

}  // namespace

void LoggingOptions::add_to(CLI::App& app) {
  app.add_flag("-v,--verbose", verbose_, "Log more; may be repeated (-vv, -vvv, ...)")->group(kGroup);
  app.add_flag("-q,--quiet", quiet_, "Log less; may be repeated")->group(kGroup);
  app.add_option("--verbosity", verbosity_,
                 "Log only messages of this level and above: " + base::join(level_names(), ", ") +
                     ". PATH:LEVEL is for one file or folder of the source code, e.g. reduce/judge:verbose; the "
                     "longest path that matches counts. Overrides -v and -q")
      ->option_text("[PATH:]LEVEL")
      ->check(offer(level_names()))
      ->expected(1, -1)
      ->group(kGroup);
  app.add_flag("--silent", silent_, "Log nothing")->group(kGroup);
  app.add_option("--log-format", format_,
                 "Change the format of the log, any of: " + base::join(format_names(true), ", "))
      ->option_text("FORMAT")
      ->check(offer(format_names(false)))
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
                      "Use one of: " + base::join(level_names(), ", "));
  }
  if (colon == std::string::npos) {
    options.least = *level;
  } else {
    options.paths.push_back({.path = word.substr(0, colon), .least = *level});
  }
  return {};
}

base::Status LoggingOptions::check_file(const CLI::App& app) const {
  std::error_code code;
  if (file_.empty() || !fs::is_regular_file(file_, code)) return {};
  const auto refuse = [this](const std::string& what) -> base::Status {
    return base::fail(base::ErrorKind::invalid_input, "the log would replace " + what, "--log-file " + file_,
                      "Give the log a file of its own");
  };
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == kGroup) continue;
    const std::vector<std::string>& words = option->results();
    const auto is_log = [&](const std::string& word) { return fs::equivalent(file_, word, code); };
    if (std::ranges::any_of(words, is_log)) return refuse("the file of " + option->get_name());
  }
  // If the log's name is forgotten, the option takes the model as its value: assay run --onnxrt --log-file model.onnx
  return is_binary(file_) ? refuse("a file that isn't text") : base::Status();
}

base::Expected<LogOptions> LoggingOptions::log_options(const Terminal& terminal) const {
  LogOptions options;
  const int level = static_cast<int>(Level::info) - verbose_ + quiet_;
  options.least = static_cast<Level>(std::clamp(level, 0, static_cast<int>(Level::critical)));
  for (const std::string& word : verbosity_) ASSAY_TRY(set_level(word, options));
  options.silent = silent_;
  options.colors = terminal.colors;
  for (const std::string& word : format_) {
    const auto* const format = std::ranges::find(kFormats, word, &Format::name);
    if (format == kFormats.end()) {
      return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' is not a log format", word), "--log-format",
                        "Use one of: " + base::join(format_names(false), ", "));
    }
    format->set(options);
  }
  if (!file_.empty()) options.file = file_;
  return options;
}

}  // namespace assay::cli
