// Runs commands to their end. Only this file and child.h, which also serves workers, start, wait for and kill
// processes, except for the user's browser, which Assay doesn't end (cli/terminal/open_in_browser.h).
//
// Every child leads a session and process group of its own. Ending a child ends all processes of its session and all
// its descendants, first with SIGTERM, then with SIGKILL. With a guard (guard.h), this includes descendants whose
// parents have ended, and the guard also does it if this process is killed. Without one, the kernel kills the child,
// but not its descendants, when the thread that started it ends (PR_SET_PDEATHSIG). Children are started from argv,
// never through a shell.
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
  std::vector<std::string> argv;                                 // argv[0] is looked up in PATH if it has no slash
  std::vector<std::pair<std::string, std::string>> environment;  // added to the environment of this process
  std::filesystem::path folder;                                  // working folder; empty to inherit it
  std::optional<std::uint64_t> open_files = {};                  // limit of open files; absent to inherit it
  std::filesystem::path guard = {};  // absolute path of assay-guard; no guard if empty or not executable
};

struct Exited {
  int code = 0;
  // Standard output and standard error in the order written; beyond 16 MiB the middle is left out.
  std::string output;
};

// Runs a command to its end, with empty standard input. Kills the processes of its session that remain; with a guard,
// all processes that remain. If a signal ends the command, the outcome is Crashed, with last_output as in
// Exited::output. Errors: those of find_program(); not_found or io if the program can't be started.
base::Expected<Outcome<Exited>> run(const Command& command, const Limits& limits, const base::Stop& stop);

// Finds a program: `name` itself if it has a slash, else the first executable file of that name in the folders of
// `path`, which are separated by colons. Errors: not_found if there is none; invalid_input if it isn't executable.
base::Expected<std::filesystem::path> find_program(const std::string& name, std::string_view path);

}  // namespace assay::worker
