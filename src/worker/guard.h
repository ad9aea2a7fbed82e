// What the tool and its guard agree on.
//
// assay-guard (guard_main.cc) is a small program between the tool and a command that the tool starts. The kernel hands
// it all orphans among the command's descendants, so that it can end every process that the command has started,
// whatever session or group the process has moved to, and does so even when the tool itself is killed.
#pragma once

#include <csignal>

namespace assay::worker {

// Descriptors of the guard. The command gets neither.
inline constexpr int kGuardControl = 4;  // the read end of a pipe whose other end closes when the tool has died
inline constexpr int kGuardReport = 5;   // takes a LaunchReport if the command can't be started, then closes

// Asks the guard to kill the command and all that it has started. After SIGTERM the guard lets what the command has
// started end by itself, once the command has ended.
inline constexpr int kGuardKill = SIGUSR1;

enum class LaunchStage : int { setup, folder, program };
struct LaunchReport {
  LaunchStage stage;
  int error_number;
};

// When memory runs out, the kernel is to kill the command and not the tool, so that the tool can report it.
inline constexpr const char* kOomScore = "800";

}  // namespace assay::worker
