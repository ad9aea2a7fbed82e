// The log that a person sees: "[I] message" on standard output, critical messages on standard error, and a file where
// wanted.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>

#include "base/error.h"
#include "base/log.h"

namespace assay::cli {

struct LogOptions {
  base::Level least = base::Level::info;
  bool silent = false;
  bool timestamp = false;
  bool colors = false;
  std::optional<std::filesystem::path> file;  // written too; parent folders are made
};

// Writes to the two streams, which must outlive it. Errors: io where the log file cannot be opened.
base::Expected<std::unique_ptr<base::Log>> make_console_log(const LogOptions& options, std::ostream& out,
                                                            std::ostream& err);

}  // namespace assay::cli
