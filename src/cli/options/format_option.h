// --format: text in the log, or JSON on standard output, with the log on standard error.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <string_view>

#include "base/log.h"

namespace assay::cli {

class FormatOption {
 public:
  CLI::Option* add_to(CLI::App& app);
  [[nodiscard]] bool json() const { return format_ == "json"; }

 private:
  std::string format_ = "text";
};

// Logs a text of several lines as one message: the lines after the first are indented.
void log_text(base::Log& log, std::string_view text);

}  // namespace assay::cli
