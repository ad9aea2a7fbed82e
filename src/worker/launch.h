// Starts a program with vfork() and execve(), so that the cost doesn't depend on the size of this process.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>

namespace assay::worker {

inline constexpr int kChannel = 3;  // the descriptor that a child gets as its channel

// Everything that a child needs to become its program. The descriptors are this process's; their numbers are above
// those of the child's copies. The caller owns everything that this points to.
struct Launch {
  const char* program;  // a path
  char* const* argv;    // ends with null, as does `environment`
  char* const* environment;
  const char* folder;  // null to inherit it
  int input;
  int output;   // becomes standard output and standard error
  int channel;  // -1 for none
  int report;   // the pipe for a LaunchReport if the program can't be started
  int control;  // the guard's end of the pipe that shows it our death; -1 if the program isn't a guard
  bool core_dumps;
  std::optional<rlim_t> open_files;
};

// Starts the program as the leader of a session of its own, and returns its id, or -1 with the reason in errno. The
// kernel kills it when the calling thread ends, unless it is a guard. Signals are blocked meanwhile.
pid_t launch(const Launch& launch);

}  // namespace assay::worker
