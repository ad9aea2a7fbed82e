// Child processes: the only place that starts, waits for and kills them (with child.h, its other half, for workers).
//
// Every child leads a session of its own, hence a process group, and is killed by the kernel when the thread that
// started it ends (PR_SET_PDEATHSIG). Ending a child ends all processes of its session and all its descendants,
// politely (SIGTERM) and then not (SIGKILL). With a guard (guard.h), descendants whose parents have ended are killed as
// well, and all of them also when this process is killed. Children are started from argv, never through a shell.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "worker/limits.h"
#include "worker/outcome.h"

namespace assay::worker {

struct Command {
  std::vector<std::string> argv;                                 // argv[0] is looked up in PATH where it has no slash
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
  std::filesystem::path folder;                                  // working folder; empty: ours
  std::optional<std::uint64_t> open_files = {};                  // the limit of open files; absent: ours
  std::filesystem::path guard = {};  // absolute path of assay-guard; empty, or no such file: no guard
};

struct Exited {
  int code = 0;
  std::string
      output;  // standard output and standard error together, as they came; the middle of more than 16 MiB is left out
};

// Runs a command to its end, with no standard input. Processes of its session that a command leaves behind are killed;
// with a guard, all that it leaves behind are. A command that a signal ends is Crashed, with all of its output in
// last_output (as in Exited::output).
// Errors: not_found where the program does not exist, io where it cannot be started.
base::Expected<Outcome<Exited>> run(const Command& command, const Limits& limits, const base::Stop& stop);

// Where a program lies: `name` itself where it has a slash, else the first executable file of that name in the folders
// of `path` (as PATH has them). Errors: not_found naming the program; invalid_input for a folder or a file that may not
// be run.
base::Expected<std::filesystem::path> find_program(const std::string& name, std::string_view path);

}  // namespace assay::worker
