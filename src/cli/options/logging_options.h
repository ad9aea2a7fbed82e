// -v, -q, --verbosity, --silent, --log-format, --log-file: every command has them.
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
  // Colours are used only where `terminal` says that standard output is one.
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
