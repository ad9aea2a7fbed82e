// --format: text in the log, or JSON on standard output, with the log on standard error.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/log.h"

namespace assay::cli {

class FormatOption {
 public:
  CLI::Option* add_to(CLI::App& app);
  [[nodiscard]] bool json() const { return format_ == "json"; }
  // Errors: invalid_input if JSON is wanted and no check is given, so that a person judges.
  [[nodiscard]] base::Status check_judge(bool has_check) const;

 private:
  std::string format_ = "text";
};

// Logs a text of several lines as one message: the lines after the first are indented.
void log_text(base::Log& log, std::string_view text);

}  // namespace assay::cli
