// The interface between Assay and its guard.
//
// assay-guard (guard_main.cc) is a small program between Assay and a command that Assay starts. The kernel makes it the
// parent of all orphans among the command's descendants, so it can end every process that the command has started,
// whatever session or group the process has moved to, even if Assay itself is killed.
#pragma once

#include <csignal>

namespace assay::worker {

// Descriptors of the guard. The command inherits neither.
inline constexpr int kGuardControl = 4;  // the read end of a pipe whose other end closes when Assay dies
inline constexpr int kGuardReport = 5;   // the guard writes a LaunchReport here if the command can't be started

// Asks the guard to kill the command and everything it has started. If Assay sends it SIGTERM instead, it doesn't kill
// the processes that remain when the command has ended, but waits for them to end.
inline constexpr int kGuardKill = SIGUSR1;

enum class LaunchStage : int { setup, folder, program };
struct LaunchReport {
  LaunchStage stage;
  int error_number;
};

}  // namespace assay::worker
