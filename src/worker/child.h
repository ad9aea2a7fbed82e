// One child process and everything that it starts.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "base/error.h"
#include "worker/file_descriptor.h"
#include "worker/launch.h"
#include "worker/output_capture.h"
#include "worker/process.h"

namespace assay::worker {

// The descriptors of this process that the child gets copies of. It inherits no others.
struct Wiring {
  int output = -1;         // becomes its standard output and standard error
  int channel = -1;        // becomes its descriptor kChannel; -1 for none
  bool core_dumps = true;  // if false, a crash leaves no core file, regardless of the user's limits
};

// How a process ended: by a signal, or with an exit status.
struct ExitStatus {
  int signal = 0;  // 0 if it exited
  int code = 0;
  bool kernel_oom = false;  // SIGKILL ended it, and the kernel killed some process for lack of memory since its start
};

class Child {
 public:
  // Starts a child, at a cost that doesn't depend on the memory of this process. Without a guard, the kernel kills the
  // child when the calling thread ends. With one, the guard kills it when this process ends. Errors: see run().
  static base::Expected<Child> start(const Command& command, const Wiring& wiring);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  // Kills and reaps all of its processes unless reap() was called.
  ~Child();

  // Returns the process id: the guard's, if there is one.
  [[nodiscard]] pid_t pid() const { return pid_; }
  // Returns a descriptor that becomes readable once the process has ended; -1 before Linux 5.3.
  [[nodiscard]] int exit_fd() const { return exit_fd_.get(); }
  // Returns true once the process itself has ended. Its id stays reserved until reap().
  [[nodiscard]] bool ended() const;
  // Sends SIGTERM to all of its processes, and after `grace` SIGKILL to those that remain. Reads `output` meanwhile, so
  // that no process blocks on a full pipe.
  void end(std::chrono::milliseconds grace, OutputPipe& output);
  // Sends SIGKILL to all of its processes without waiting, so that several children can end at the same time.
  void kill() const;
  // Waits for the process to end, kills the processes that it left behind, and releases its id. To be called once.
  ExitStatus reap();

 private:
  Child(pid_t pid, FileDescriptor exit_fd, FileDescriptor control);
  [[nodiscard]] bool ends_within(std::chrono::milliseconds time, OutputPipe& output) const;
  void kill_tree() const;

  pid_t pid_;  // -1 after reap()
  FileDescriptor exit_fd_;
  FileDescriptor control_;  // a pipe that shows the guard when this process dies; invalid without a guard
  std::uint64_t oom_kills_before_;
};

}  // namespace assay::worker
