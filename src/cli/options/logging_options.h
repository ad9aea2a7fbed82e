// The logging options of every command: -v, -q, --verbosity, --silent, --log-format, --log-file.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/console_log.h"

namespace assay::cli {

class LoggingOptions {
 public:
  void add_to(CLI::App& app);
  // Returns the options for the log. `terminal`: standard output is a terminal, so colours may be used. Errors:
  // invalid_input for unknown levels and formats; unsupported for the format line-info.
  [[nodiscard]] base::Expected<LogOptions> log_options(bool terminal) const;

 private:
  int verbose_ = 0;
  int quiet_ = 0;
  std::vector<std::string> verbosity_;
  bool silent_ = false;
  std::vector<std::string> format_;
  std::string file_;
};

}  // namespace assay::cli
