#include "cli/options/format_option.h"

#include <CLI/Validators.hpp>

#include "cli/terminal/console_log.h"

namespace assay::cli {

CLI::Option* FormatOption::add_to(CLI::App& app) {
  return app
      .add_option("--format", format_,
                  "Choose the output: text, or json for programs (the log then goes to standard error)")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

void log_text(base::Log& log, std::string_view text) {
  if (log.shows(base::Level::info)) {
    log.write(base::Level::info, as_message(text));
  }
}

}  // namespace assay::cli
