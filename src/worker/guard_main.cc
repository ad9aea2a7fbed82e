// assay-guard MASK PROGRAM ARGV...: runs a command, and ends all processes that it has started.
//
// The guard is a subreaper: the kernel makes every orphan among its descendants its own child. So "no child is left"
// means that no descendant is left, and a process can't hide by beginning a session or by letting its parent end. The
// guard kills what is left when the command ends, when the tool asks for it, and when the tool dies, which it sees by
// the end of a pipe. It sleeps until then. Its own exit status is that of the command, signals included.
//
// It is a program of its own, and a small static one, because it is started with each check: a fork of the tool would
// copy page tables, and keep alive every page that the tool changes later.
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "worker/guard.h"

namespace {

using assay::worker::kGuardControl;
using assay::worker::kGuardReport;
using assay::worker::LaunchReport;
using assay::worker::LaunchStage;

constexpr int kKillEvery = 10;     // ms, at first, between two looks for what is left
constexpr int kMostBetween = 200;  // ms
constexpr int kTimeToDie = 2000;   // ms; a process that we may not kill, as one of sudo, is left then
constexpr int kMostProcesses = 1 << 15;
constexpr int kCannotStart = 127;

// One process: itself and its parent. The list is static because it is large.
struct Entry {
  pid_t pid;
  pid_t parent;
  bool ours;
};
Entry processes[kMostProcesses];

// The command that is run, and what has become of it.
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

// PID and parent from /proc/PID/stat: "PID (NAME) STATE PARENT ...", in which NAME may hold blanks and brackets.
bool read_entry(const char* name, Entry& entry) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%.20s/stat", name);
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[512];
  const ssize_t count = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (count <= 0) return false;
  text[count] = 0;
  const char* close = std::strrchr(text, ')');
  char state = 0;
  if (close == nullptr || std::sscanf(close + 1, " %c %d", &state, &entry.parent) != 2) return false;
  entry.pid = std::atoi(name);
  entry.ours = false;
  return state != 'Z' && state != 'X';
}

// In a namespace of processes without a /proc of its own, /proc shows numbers that mean other processes to us.
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
    if (read_entry(entry->d_name, processes[count])) ++count;
  }
  ::closedir(folder);
  return count;
}

// A process that starts between the look and the kill is found by the next look: its parent will then be the guard.
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

// Takes in all children that have ended. Returns false if there are no more children.
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

[[noreturn]] void give_up() {
  const LaunchReport report{LaunchStage::program, errno};
  [[maybe_unused]] const ssize_t written = ::write(kGuardReport, &report, sizeof report);
  ::_exit(kCannotStart);
}

void prefer_as_oom_victim() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written =
      ::write(file, assay::worker::kOomScore, std::strlen(assay::worker::kOomScore));
  ::close(file);
}

pid_t start(const char* program, char** argv, const sigset_t& signals) {
  const pid_t self = ::getpid();
  const pid_t pid = ::vfork();
  if (pid != 0) return pid;
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // should someone kill the guard
  if (::getppid() != self) ::_exit(kCannotStart);
  prefer_as_oom_victim();
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  ::execve(program, argv, environ);
  give_up();
}

[[noreturn]] void end_like(int status) {
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const rlimit none = {};  // the command has left a core file already, if it was to leave one
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

// Kills until nothing is left, sleeping in between until a child ends.
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

// Sleeps until there is something to do. Returns true once what is left is to be killed.
bool wait_for_end(Guarded& guarded, int signals) {
  bool polite = false;
  for (;;) {
    pollfd events[] = {{signals, POLLIN, 0}, {kGuardControl, POLLIN, 0}};
    ::poll(events, 2, -1);
    if (events[1].revents != 0) return true;
    signalfd_siginfo info;
    while (::read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo == static_cast<unsigned>(assay::worker::kGuardKill)) return true;
      if (info.ssi_signo == SIGTERM) polite = true;
    }
    if (!reap(guarded)) return false;
    if (guarded.ended && !polite) return true;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("assay-guard runs the commands of assay; it is not for people\n", stderr);
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

  Guarded guarded;
  guarded.pid = start(argv[2], argv + 3, signals);
  if (guarded.pid < 0) give_up();
  ::close(kGuardReport);
  // Ends of pipes: the tool is to see when the command closes its own.
  for (int fd = 0; fd < kGuardControl; ++fd) ::close(fd);
  const int events = ::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  if (wait_for_end(guarded, events)) kill_and_end(guarded, events);
  end_like(guarded.status);
}
