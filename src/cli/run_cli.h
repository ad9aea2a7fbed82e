// From the words of a command line to an exit status.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "cli/installation.h"
#include "worker/engine.h"

namespace assay::cli {

// Where a command's text goes.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;                        // `out` is one: colours may be used
  std::optional<base::Error>* error = nullptr;  // gets the error that a command ends with, if not null
};

// Runs one command. `words` are those behind the program's name. Messages for the user are written to `streams`;
// nothing is thrown. May be called again, also from inside a command (an in-process check).
int run_cli(const std::vector<std::string>& words, const Streams& streams, const Installation& installation,
            worker::Pool& pool, const base::Stop& stop);

}  // namespace assay::cli
