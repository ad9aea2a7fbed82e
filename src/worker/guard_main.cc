// assay-guard MASK PROGRAM ARGV...: runs a command and ends all processes that it has started.
//
// The guard is a subreaper: the kernel makes every orphan among its descendants its child. So if the guard has no
// children, no descendants remain, and a process can't hide by starting a session or letting its parent exit. The guard
// kills the remaining processes when the command ends, when Assay requests it, and when Assay dies, which closes a
// pipe. It sleeps until then. It exits with the command's status, or dies of the signal that ended the command.
//
// It is a small static program because it is started with each check. A fork of Assay would copy page tables, and keep
// every page alive that Assay changes later.
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "worker/guard.h"
#include "worker/oom_victim.h"
#include "worker/proc_stat.h"

namespace {

using assay::worker::kGuardControl;
using assay::worker::kGuardReport;
using assay::worker::LaunchReport;
using assay::worker::LaunchStage;
using assay::worker::prefer_as_oom_victim;
using assay::worker::read_proc_stat;

constexpr int kKillEvery = 10;     // ms between two searches at first; doubles up to kMostBetween
constexpr int kMostBetween = 200;  // ms
constexpr int kTimeToDie = 2000;   // ms; after that, processes that the guard may not kill (of sudo) are left running
constexpr int kMostProcesses = 1 << 15;
constexpr int kCannotStart = 127;

// One process. The list is static because it is large.
struct Entry {
  pid_t pid;
  pid_t parent;
  bool ours;
};
Entry processes[kMostProcesses];

// The command and its state.
struct Guarded {
  pid_t pid = -1;
  bool ended = false;
  int status = 0;
};

long now_ms() {
  timespec time = {};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<long>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
}

// Returns false in a PID namespace without a /proc of its own, in which /proc shows the ids of another namespace.
bool proc_is_ours() {
  char target[32] = {};
  return ::readlink("/proc/self", target, sizeof target - 1) > 0 && std::atoi(target) == ::getpid();
}

int list_processes() {
  DIR* folder = proc_is_ours() ? ::opendir("/proc") : nullptr;
  if (folder == nullptr) return 0;
  int count = 0;
  while (const dirent* entry = ::readdir(folder)) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || count == kMostProcesses) continue;
    const pid_t pid = std::atoi(entry->d_name);
    if (const auto stat = read_proc_stat(pid)) processes[count++] = {pid, stat->parent, false};
  }
  ::closedir(folder);
  return count;
}

// The next search finds processes that start between this search and the kill: their parent is then the guard.
void kill_descendants() {
  const int count = list_processes();
  const pid_t self = ::getpid();
  for (bool grown = true; grown;) {
    grown = false;
    for (int i = 0; i < count; ++i) {
      if (processes[i].ours) continue;
      bool ours = processes[i].parent == self;
      for (int k = 0; k < count && !ours; ++k) ours = processes[k].ours && processes[k].pid == processes[i].parent;
      if (!ours) continue;
      processes[i].ours = grown = true;
      ::kill(processes[i].pid, SIGKILL);
    }
  }
}

// Reaps all children that have ended. Returns false if no children remain.
bool reap(Guarded& guarded) {
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid <= 0) return pid == 0;
    if (pid != guarded.pid) continue;
    guarded.ended = true;
    guarded.status = status;
  }
}

// Takes the command's words out of the guard's own command line, in which `pkill -9 -f check.sh` would find them, too.
// Nothing would then end the processes that the check has started.
void hide_words(char** words) {
  for (; *words != nullptr; ++words) {
    char* copy = ::strdup(*words);
    if (copy == nullptr) return;
    std::memset(*words, 0, std::strlen(*words));
    *words = copy;
  }
}

[[noreturn]] void give_up() {
  const LaunchReport report{LaunchStage::program, errno};
  [[maybe_unused]] const ssize_t written = ::write(kGuardReport, &report, sizeof report);
  ::_exit(kCannotStart);
}

pid_t start(const char* program, char** argv, const sigset_t& signals) {
  const pid_t self = ::getpid();
  const pid_t pid = ::vfork();
  if (pid != 0) return pid;
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // in case the guard is killed
  if (::getppid() != self) ::_exit(kCannotStart);
  prefer_as_oom_victim();
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  ::execve(program, argv, environ);
  give_up();
}

[[noreturn]] void end_like(int status) {
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const rlimit none = {};  // the command has dumped core already if it should
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_DUMPABLE, 0);
  ::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  ::kill(::getpid(), signal);
  ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
  ::_exit(128 + signal);
}

// Kills until no children remain, and sleeps in between until a child ends.
[[noreturn]] void kill_and_end(Guarded& guarded, int signals) {
  const long until = now_ms() + kTimeToDie;
  int pause = kKillEvery;
  while (reap(guarded) && now_ms() < until) {
    if (!guarded.ended) ::kill(-guarded.pid, SIGKILL);
    kill_descendants();
    pollfd child = {signals, POLLIN, 0};
    ::poll(&child, 1, pause);
    signalfd_siginfo info;
    while (::read(signals, &info, sizeof info) > 0) {
    }
    pause = pause * 2 < kMostBetween ? pause * 2 : kMostBetween;
  }
  end_like(guarded.ended ? guarded.status : SIGKILL);
}

// Sleeps until the command's processes must be killed (returns true) or none remain (returns false).
bool wait_for_end(Guarded& guarded, int signals) {
  bool polite = false;
  for (;;) {
    pollfd events[] = {{signals, POLLIN, 0}, {kGuardControl, POLLIN, 0}};
    ::poll(events, 2, -1);
    if (events[1].revents != 0) return true;
    signalfd_siginfo info;
    while (::read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo == static_cast<unsigned>(assay::worker::kGuardKill)) return true;
      // Others may send it, too.
      if (info.ssi_signo == SIGTERM && info.ssi_pid == static_cast<std::uint32_t>(::getppid())) polite = true;
    }
    if (!reap(guarded)) return false;
    if (guarded.ended && !polite) return true;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("assay-guard is an internal program of Assay and cannot be run directly. Run assay instead.\n", stderr);
    return 2;
  }
  sigset_t signals;  // of the command
  sigemptyset(&signals);
  const unsigned long long mask = std::strtoull(argv[1], nullptr, 16);
  for (int signal = 1; signal < 64; ++signal) {
    if ((mask >> signal & 1) != 0) sigaddset(&signals, signal);
  }
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::signal(SIGCHLD, SIG_DFL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::fcntl(kGuardControl, F_SETFD, FD_CLOEXEC);
  ::fcntl(kGuardReport, F_SETFD, FD_CLOEXEC);

  hide_words(argv + 1);
  Guarded guarded;
  guarded.pid = start(argv[2], argv + 3, signals);
  if (guarded.pid < 0) give_up();
  ::close(kGuardReport);
  // Assay must see when the command closes its ends of the pipes, so the guard keeps none open.
  for (int fd = 0; fd < kGuardControl; ++fd) ::close(fd);
  const int events = ::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  if (wait_for_end(guarded, events)) kill_and_end(guarded, events);
  end_like(guarded.status);
}
