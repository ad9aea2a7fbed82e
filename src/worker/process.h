// Child processes: the only place that forks, waits and kills.
//
// Every child has its own process group and dies with us (PR_SET_PDEATHSIG); ending a child ends its whole group, politely
// (SIGTERM) and then not (SIGKILL). Children are started from argv, never through a shell.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "worker/limits.h"
#include "worker/outcome.h"

namespace assay::worker {

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH where it has no slash
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
  std::filesystem::path folder;   // working folder; empty: ours
};

struct Exited {
  int code = 0;
  std::string output;  // standard output and standard error together, as they came; the middle of more than 16 MiB is left out
};

// Runs a command to its end, with no standard input. A command that leaves processes of its group behind has them killed.
// Errors: not_found where the program does not exist, io where it cannot be started.
base::Expected<Outcome<Exited>> run(const Command& command, const Limits& limits, const base::Stop& stop);

}  // namespace assay::worker
