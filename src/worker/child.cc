// To start a child means to prepare everything that launch() needs. A pipe reports why a program couldn't be started;
// it closes by itself if the program starts.
//
// Ending a child means finding its processes, killing them, and repeating that, because a process can start another one
// after the search. The child's id stays reserved until it is reaped, so no kill can hit an unrelated session.
#include "worker/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "worker/guard.h"
#include "worker/launch.h"
#include "worker/process_tree.h"

namespace assay::worker {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTimeToDie{2000};  // after SIGKILL
constexpr int kCheckEvery = 2;            // ms

using Stage = LaunchStage;

// Returns this process's environment with the additions, as "NAME=value".
std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& additions) {
  std::vector<std::string> merged;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view name = std::string_view(*entry).substr(0, std::string_view(*entry).find('='));
    if (std::ranges::none_of(additions, [&](const auto& addition) { return addition.first == name; })) {
      merged.emplace_back(*entry);
    }
  }
  for (const auto& [name, value] : additions) merged.push_back(name + "=" + value);
  return merged;
}

std::string_view path_of(const std::vector<std::string>& environment) {
  for (const std::string_view entry : environment) {
    if (entry.starts_with("PATH=")) return entry.substr(5);
  }
  return "/usr/local/bin:/usr/bin:/bin";
}

// Finds the program that a command names. A relative path refers to the command's working folder.
base::Expected<std::string> find_program_of(const Command& command, const std::string& name, std::string_view path) {
  const bool in_folder = !command.folder.empty() && name.find('/') != std::string::npos && name[0] != '/';
  ASSAY_ASSIGN(const std::filesystem::path program,
               find_program(in_folder ? (command.folder / name).string() : name, path));
  std::error_code ignored;
  return in_folder ? std::filesystem::absolute(program, ignored).string() : program.string();
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

// Copies a descriptor to a number above those that the child's descriptors get, so that dup2() never overwrites one
// that is still needed.
FileDescriptor high_copy(int fd) {
  FileDescriptor copy(::fcntl(fd, F_DUPFD_CLOEXEC, 16));
  if (!copy.valid() && errno == EINVAL) errno = EMFILE;  // the limit on open files is below that number
  return copy;
}

// Creates a pipe with both ends above those numbers. The first is the read end.
base::Expected<std::pair<FileDescriptor, FileDescriptor>> high_pipe() {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return base::fail(base::system_error("cannot create a pipe", {}, errno));
  const FileDescriptor read(ends[0]);
  const FileDescriptor write(ends[1]);
  std::pair high(high_copy(read.get()), high_copy(write.get()));
  if (!high.first.valid() || !high.second.valid()) {
    return base::fail(base::system_error("cannot create a pipe", {}, errno));
  }
  return high;
}

// Returns the signals that this thread blocks as a hexadecimal bit mask.
std::string signal_mask() {
  sigset_t signals;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &signals);
  std::uint64_t mask = 0;
  for (int signal = 1; signal < 64; ++signal)
    mask |= static_cast<std::uint64_t>(sigismember(&signals, signal) == 1) << signal;
  return fmt::format("{:x}", mask);
}

// Returns the arguments of the guard, which end with those of the command.
std::vector<std::string> guarded_words(const Command& command, const std::string& program_path) {
  std::vector<std::string> words = {command.guard.filename().string(), signal_mask(), program_path};
  words.insert(words.end(), command.argv.begin(), command.argv.end());
  return words;
}

// Waits until the child runs its program, or returns why it can't.
std::optional<LaunchReport> read_report(int fd) {
  LaunchReport failure{};
  ssize_t count = 0;
  while ((count = ::read(fd, &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  return count == sizeof failure ? std::optional(failure) : std::nullopt;
}

base::Error start_error(const Command& command, const LaunchReport& report) {
  if (report.stage == Stage::folder) {
    return base::system_error("cannot change to the working folder of a command", command.folder.string(),
                              report.error_number);
  }
  base::Error error = base::system_error(fmt::format("cannot start '{}'", command.argv[0]), {}, report.error_number);
  if (report.stage == Stage::program && report.error_number == ENOENT) {
    error.fix = "Its first line names an interpreter that does not exist: correct it, or install the interpreter";
  } else if (report.stage == Stage::program && report.error_number == ENOEXEC) {
    error.fix = "If it is a script, let its first line name the interpreter, such as #!/bin/sh";
  }
  return error;
}

void kill_all(const std::vector<pid_t>& processes, int signal) {
  for (const pid_t pid : processes) ::kill(pid, signal);
}

// Processes that stay known although they may lose their parent: one in another session is then found no more.
class Known {
 public:
  explicit Known(const std::vector<pid_t>& processes) {
    for (const pid_t pid : processes) {
      FileDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
      if (handle.valid()) handles_.push_back(std::move(handle));
    }
  }
  [[nodiscard]] bool have_ended(milliseconds within = milliseconds(0)) const {
    const auto until = Clock::now() + within;
    return std::ranges::all_of(handles_, [until](const FileDescriptor& handle) {
      const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
      pollfd fd{handle.get(), POLLIN, 0};
      return ::poll(&fd, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) == 1;
    });
  }
  void kill() const {
    for (const FileDescriptor& handle : handles_) ::syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
    static_cast<void>(have_ended(kTimeToDie));
  }

 private:
  std::vector<FileDescriptor> handles_;  // pidfds
};

// Repeats because a process may start another one between the search and the kill.
void kill_until_none_remain(std::vector<pid_t> (*members)(pid_t), pid_t leader) {
  const auto until = Clock::now() + kTimeToDie;
  for (std::vector<pid_t> left = members(leader); !left.empty() && Clock::now() < until; left = members(leader)) {
    kill_all(left, SIGKILL);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace

Child::Child(pid_t pid, FileDescriptor exit_fd, FileDescriptor control)
    : pid_(pid), exit_fd_(std::move(exit_fd)), control_(std::move(control)), oom_kills_before_(kernel_oom_kills()) {}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      exit_fd_(std::move(other.exit_fd_)),
      control_(std::move(other.control_)),
      oom_kills_before_(other.oom_kills_before_) {}

Child::~Child() {
  if (pid_ < 0) return;
  kill_tree();
  reap();
}

base::Expected<Child> Child::start(const Command& command, const Wiring& wiring) {
  const std::string name = command.argv.empty() ? std::string() : command.argv[0];
  const std::vector<std::string> environment = merged_environment(command.environment);
  ASSAY_ASSIGN(const std::string program_path, find_program_of(command, name, path_of(environment)));
  const bool guarded = !command.guard.empty() && ::access(command.guard.c_str(), X_OK) == 0;
  const std::vector<std::string> words = guarded ? guarded_words(command, program_path) : command.argv;
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> environment_pointers = pointers(environment);

  ASSAY_ASSIGN(auto report, high_pipe());
  const FileDescriptor report_read = std::move(report.first);
  FileDescriptor report_write = std::move(report.second);
  std::pair<FileDescriptor, FileDescriptor> control;
  if (guarded) {
    ASSAY_ASSIGN(control, high_pipe());
  }
  const FileDescriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const FileDescriptor input = high_copy(null.get());
  const FileDescriptor output = high_copy(wiring.output);
  const FileDescriptor channel = wiring.channel >= 0 ? high_copy(wiring.channel) : FileDescriptor();
  if (!report_write.valid() || !input.valid() || !output.valid() || (wiring.channel >= 0 && !channel.valid())) {
    return base::fail(base::system_error("cannot start a process", name, errno));
  }

  const pid_t pid = launch({.program = guarded ? command.guard.c_str() : program_path.c_str(),
                            .argv = argv.data(),
                            .environment = environment_pointers.data(),
                            .folder = command.folder.empty() ? nullptr : command.folder.c_str(),
                            .input = input.get(),
                            .output = output.get(),
                            .channel = channel.get(),
                            .report = report_write.get(),
                            .control = control.first.get(),
                            .core_dumps = wiring.core_dumps,
                            .open_files = command.open_files});
  if (pid < 0) return base::fail(base::system_error("cannot start a process", name, errno));

  report_write.reset();
  if (const auto failure = read_report(report_read.get())) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return base::fail(start_error(command, *failure));
  }
  return Child(pid, FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))), std::move(control.second));
}

bool Child::ended() const {
  siginfo_t info = {};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

bool Child::ends_within(milliseconds time, OutputPipe& output) const {
  const auto until = Clock::now() + time;
  while (!ended()) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    std::array<pollfd, 2> fds = {pollfd{exit_fd(), POLLIN, 0}, pollfd{output.read_fd(), POLLIN, 0}};
    const auto most = exit_fd() < 0 ? milliseconds(2) : left;
    ::poll(fds.data(), fds.size(), static_cast<int>(std::min(left, most).count()));
    output.drain();
  }
  return true;
}

void Child::end(milliseconds grace, OutputPipe& output) {
  if (grace.count() <= 0 || ended()) {
    kill_tree();
    return;
  }
  const auto until = Clock::now() + grace;
  const std::vector<pid_t> members = tree_members(pid_);
  const Known known(members);
  kill_all(members, SIGTERM);
  static_cast<void>(ends_within(grace, output));
  // A shell exits at once, but the processes that it started may still clean up.
  while (Clock::now() < until && !(known.have_ended() && tree_members(pid_).empty())) {
    pollfd fd{output.read_fd(), POLLIN, 0};
    ::poll(&fd, 1, kCheckEvery);
    output.drain();
  }
  kill_tree();
  known.kill();
}

// Sleeps while the kernel tears the process down, which takes milliseconds if it is large, instead of searching.
void Child::kill_tree() const {
  kill();
  pollfd fd{exit_fd(), POLLIN, 0};
  if (exit_fd() >= 0) ::poll(&fd, 1, static_cast<int>(kTimeToDie.count()));
  kill_until_none_remain(tree_members, pid_);
}

void Child::kill() const {
  if (control_.valid()) {
    ::kill(pid_, kGuardKill);
  } else {
    kill_all(tree_members(pid_), SIGKILL);
  }
}

ExitStatus Child::reap() {
  siginfo_t info = {};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  kill_until_none_remain(session_members, pid_);  // its id is still reserved, so this can't hit another session
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  ExitStatus status;
  if (info.si_code == CLD_EXITED) {
    status.code = info.si_status;
  } else {
    status.signal = info.si_status;
    status.kernel_oom = status.signal == SIGKILL && kernel_oom_kills() > oom_kills_before_;
  }
  return status;
}

}  // namespace assay::worker
