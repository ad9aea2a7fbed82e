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

base::Status FormatOption::check_judge(bool has_check) const {
  if (!json() || has_check) return {};
  return base::fail(base::ErrorKind::invalid_input, "questions to a person would be mixed with the JSON",
                    "--format json", "Name a command that judges the candidates with --check, or omit the option");
}

void log_text(base::Log& log, std::string_view text) {
  if (log.shows(base::Level::info)) {
    log.write(base::Level::info, as_message(text));
  }
}

}  // namespace assay::cli
