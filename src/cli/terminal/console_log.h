// The log that the user sees: "[I] message" on standard output, critical messages on standard error, and optionally all
// of them in a file, without colours. On a terminal, a line below the messages can show the progress.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "cli/terminal/terminal.h"

namespace assay::cli {

struct LogOptions {
  // The least level for a file of the source, or for all files in a folder: "reduce/judge", "run/timings.cc".
  struct PathLevel {
    std::string path;
    base::Level least = base::Level::info;
  };
  base::Level least = base::Level::info;
  std::vector<PathLevel> paths{};  // of those that match a file, the longest counts
  bool silent = false;
  bool timestamp = false;
  bool line_info = false;  // the file and line that logs a message
  bool colors = false;
  std::optional<std::filesystem::path> file{};  // also written; parent folders are created
};

// Creates a log that writes to the two streams, which must outlive it. `terminal`: the one that `out` writes to;
// LogOptions::colors has to respect it. `err_terminal`: the one that `err` writes to. Errors: io if the log file can't
// be opened.
base::Expected<std::unique_ptr<base::Log>> make_console_log(const LogOptions& options, const Terminal& terminal,
                                                            std::ostream& out, std::ostream& err,
                                                            const Terminal& err_terminal = {});

// Indents the lines after the first, so that the log shows the text as one message.
std::string as_message(std::string_view text);

}  // namespace assay::cli
