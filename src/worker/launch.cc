// Between vfork() and execve() the child runs on this process's memory and may only make system calls, so the caller
// prepares everything that it needs.
#include "worker/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

#include "worker/guard.h"
#include "worker/oom_victim.h"

namespace assay::worker {
namespace {

// The process that starts the child.
struct Parent {
  pid_t id;
  sigset_t signals;  // that the starting thread blocks
};

[[noreturn]] void give_up(const Launch& launch, LaunchStage stage) {
  const LaunchReport report{stage, errno};
  [[maybe_unused]] const ssize_t written = ::write(launch.report, &report, sizeof report);
  ::_exit(127);
}

// Sets a limit of one byte, not zero: if core dumps are piped to a program, the kernel ignores a limit of zero.
void forbid_core_dumps() {
  rlimit limit = {};
  ::getrlimit(RLIMIT_CORE, &limit);
  if (limit.rlim_max > 0) limit.rlim_cur = 1;
  ::setrlimit(RLIMIT_CORE, &limit);
}

void limit_open_files(rlim_t count) {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = count;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// The guard must outlive this process, so it gets no PR_SET_PDEATHSIG. It sets the rest up for the command itself.
void prepare_guard(const Launch& launch) {
  if (::dup2(launch.control, kGuardControl) < 0 || ::dup2(launch.report, kGuardReport) < 0) {
    give_up(launch, LaunchStage::setup);
  }
  if (launch.channel < 0) ::close(kChannel);
  ::close_range(kGuardReport + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

void prepare_program(const Launch& launch, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // the parent died before the line above took effect
  prefer_as_oom_victim();
  // Keeps descriptors from the program that were opened without O_CLOEXEC or inherited. Fails harmlessly before Linux
  // 5.11.
  ::close_range(launch.channel >= 0 ? kChannel + 1 : STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

[[noreturn]] void become_program(const Launch& launch, const Parent& parent) {
  const bool guarded = launch.control >= 0;
  ::setsid();
  if (!launch.core_dumps) forbid_core_dumps();
  if (launch.open_files) limit_open_files(*launch.open_files);
  if (::dup2(launch.input, STDIN_FILENO) < 0 || ::dup2(launch.output, STDOUT_FILENO) < 0 ||
      ::dup2(launch.output, STDERR_FILENO) < 0 || (launch.channel >= 0 && ::dup2(launch.channel, kChannel) < 0)) {
    give_up(launch, LaunchStage::setup);
  }
  if (guarded) {
    prepare_guard(launch);
  } else {
    prepare_program(launch, parent.id);
  }
  if (launch.folder != nullptr && ::chdir(launch.folder) != 0) give_up(launch, LaunchStage::folder);
  ::signal(SIGPIPE, SIG_DFL);  // this process may ignore them, but programs expect the default
  ::signal(SIGXFSZ, SIG_DFL);
  if (!guarded) ::sigprocmask(SIG_SETMASK, &parent.signals, nullptr);  // a guard blocks all and uses signalfd
  ::execve(launch.program, launch.argv, launch.environment);
  give_up(launch, LaunchStage::program);
}

// The caller must block all signals: a handler would run in the child, on this process's memory.
__attribute__((noinline)) pid_t start_child(const Launch& launch, const Parent& parent) {
  const pid_t pid = ::vfork();
  if (pid == 0) become_program(launch, parent);
  return pid;
}

}  // namespace

pid_t launch(const Launch& launch) {
  Parent parent{::getpid(), {}};
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &parent.signals);
  const pid_t pid = start_child(launch, parent);
  const int start_errno = errno;
  ::pthread_sigmask(SIG_SETMASK, &parent.signals, nullptr);
  errno = start_errno;
  return pid;
}

}  // namespace assay::worker
