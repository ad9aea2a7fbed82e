// The log that the user sees: "[I] message" on standard output, critical messages on standard error, and optionally all
// of them in a file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/log.h"

namespace assay::cli {

struct LogOptions {
  base::Level least = base::Level::info;
  bool silent = false;
  bool timestamp = false;
  bool colors = false;
  std::optional<std::filesystem::path> file;  // also written; parent folders are created
};

// Creates a log that writes to the two streams, which must outlive it. Errors: io if the log file can't be opened.
base::Expected<std::unique_ptr<base::Log>> make_console_log(const LogOptions& options, std::ostream& out,
                                                            std::ostream& err);

// Indents the lines after the first, so that the log shows the text as one message.
std::string as_message(std::string_view text);

}  // namespace assay::cli
