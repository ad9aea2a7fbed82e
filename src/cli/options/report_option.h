// --report FILE: an HTML page of what a command found.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "report/page/page.h"
#include "run/engine_runner.h"

namespace assay::cli {

class ReportOption {
 public:
  // `command`: its words, for the title of the page: "debug locate".
  explicit ReportOption(std::string command) : command_(std::move(command)) {}
  // `names`: of the option, the first one for messages.
  void add_to(CLI::App& app, const std::string& names = "--report");

  [[nodiscard]] bool given() const { return !file_.empty(); }
  // Checks that the file can be written and is none of those that the command otherwise writes or reads; call it before
  // the work starts. Errors: invalid_input, and those of creating a file.
  [[nodiscard]] base::Status check(std::vector<OptionPath> written, const std::vector<OptionPath>& read) const;

  // Adds title, command line and environment to a page. `subject`: the file that the command works on. `engines`: those
  // whose versions are shown.
  void complete(report::Page& page, const std::string& subject, const std::vector<run::EngineSetup>& engines,
                Context& context) const;

  // Completes the page and writes it, unless the option isn't given. Errors: io.
  base::Status write(report::Page page, const std::string& subject, const std::vector<run::EngineSetup>& engines,
                     Context& context) const;

  // Writes a page for a command that failed before it found anything. Returns the error, and logs if the page can't be
  // written.
  base::Error write_failure(base::Error error, const std::string& subject, const std::vector<run::EngineSetup>& engines,
                            Context& context) const;

 private:
  std::string command_;
  std::string option_;
  std::string file_;
};

}  // namespace assay::cli
