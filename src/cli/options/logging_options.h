// The logging options of every command: -v, -q, --verbosity, --silent, --log-format, --log-file.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/terminal/console_log.h"

namespace assay::cli {

class LoggingOptions {
 public:
  void add_to(CLI::App& app);
  // Returns the options for a log that is written to `terminal`. Errors: invalid_input for unknown levels and formats.
  [[nodiscard]] base::Expected<LogOptions> log_options(const Terminal& terminal) const;
  // Checks that the log replaces no file that another option of the parsed command line names, and no binary file.
  // Errors: invalid_input.
  [[nodiscard]] base::Status check_file(const CLI::App& app) const;

 private:
  static base::Status set_level(const std::string& word, LogOptions& options);

  int verbose_ = 0;
  int quiet_ = 0;
  std::vector<std::string> verbosity_;
  bool silent_ = false;
  std::vector<std::string> format_;
  std::string file_;
};

}  // namespace assay::cli
