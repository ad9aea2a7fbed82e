// One child process and everything that it starts.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "base/error.h"
#include "worker/file_descriptor.h"
#include "worker/output_capture.h"
#include "worker/process.h"

namespace assay::worker {

// Descriptors of ours that the child gets; it gets copies, and none of our others.
struct Wiring {
  int output = -1;         // its standard output and standard error
  int channel = -1;        // its descriptor kChannel; -1: it has none
  bool core_dumps = true;  // false: a crash leaves no core file, whatever the user's limits say
};

inline constexpr int kChannel = 3;

// How a process ended: by a signal, or with an exit code.
struct ExitStatus {
  int signal = 0;  // 0 where it exited
  int code = 0;
  bool kernel_oom = false;  // the kernel killed it for want of memory, as far as that can be told
};

class Child {
 public:
  // Costs the same however much memory we hold. The child dies with the calling thread, or, if it has a guard, with
  // this process.
  // Errors: as run() has them.
  static base::Expected<Child> start(const Command& command, const Wiring& wiring);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  // Kills what still lives.
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Becomes readable once the process has ended; -1 on a kernel that has no such thing (before 5.3).
  [[nodiscard]] int exit_fd() const { return exit_fd_.get(); }
  // Its own process has ended; its number stays taken until reap().
  [[nodiscard]] bool ended() const;
  // SIGTERM to all of its processes, and SIGKILL after `grace` to those that are left. Reads `output` meanwhile, so
  // that none of them hangs on a full pipe.
  void end(std::chrono::milliseconds grace, OutputPipe& output);
  // SIGKILL to all of its processes, without a wait: several children end at the same time then.
  void kill() const;
  // Waits for the process to end, kills those that it left behind, and lets its number go. To be called once.
  ExitStatus reap();

 private:
  Child(pid_t pid, FileDescriptor exit_fd, FileDescriptor control);
  [[nodiscard]] bool ends_within(std::chrono::milliseconds time, OutputPipe& output) const;
  void kill_tree() const;

  pid_t pid_;  // of the guard, where there is one
  FileDescriptor exit_fd_;
  FileDescriptor control_;  // the pipe that tells the guard of our death; invalid without a guard
  std::uint64_t oom_kills_before_;
};

}  // namespace assay::worker
