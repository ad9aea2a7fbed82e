// Runs one command line: finds the command, parses its options, runs it and returns the exit status.
#pragma once

#include <string>
#include <vector>

#include "base/stop.h"
#include "cli/context/installation.h"
#include "cli/context/streams.h"
#include "worker/engine.h"

namespace assay::cli {

// Runs one command. `words` are the arguments without the program's name. Returns one of the statuses in
// cli/context/command.h, or the command's own. Messages for the user go to `streams`; nothing is thrown. May be called
// again, also from inside a command (a check that runs in this process).
int run_cli(const std::vector<std::string>& words, const Streams& streams, const Installation& installation,
            worker::Pool& pool, const base::Stop& stop);

}  // namespace assay::cli
