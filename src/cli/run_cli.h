// Runs one command line: finds the command, parses its options, runs it and returns the exit status.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "cli/installation.h"
#include "cli/terminal/terminal.h"
#include "report/page/page.h"
#include "worker/engine.h"

namespace assay::cli {

// The place of errors in the command line itself.
inline constexpr std::string_view kUsage = "the command line";

// The streams that a command writes to.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  Terminal out_terminal{};                      // that `out` writes to
  Terminal err_terminal{};                      // that `err` writes to
  std::optional<base::Error>* error = nullptr;  // set to the command's error, if not null; its `where` may be kUsage
  report::Page* page = nullptr;                 // see Context::page
};

// Runs one command. `words` are the arguments without the program's name. Returns one of the statuses in
// cli/command.h, or the command's own. Messages for the user go to `streams`; nothing is thrown. May be called again,
// also from inside a command (a check that runs in this process).
int run_cli(const std::vector<std::string>& words, const Streams& streams, const Installation& installation,
            worker::Pool& pool, const base::Stop& stop);

}  // namespace assay::cli
