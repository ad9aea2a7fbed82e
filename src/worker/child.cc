// A child is started with vfork(), so its cost doesn't depend on the size of this process. Between vfork() and execve()
// the child runs on this process's memory and may only make system calls, so everything that it needs is prepared
// before. A pipe reports why a program couldn't be started; it closes by itself if the program starts.
//
// Ending a child means finding its processes, killing them, and repeating that, because a process can start another one
// after the search. The child's id stays reserved until it is reaped, so no kill can hit an unrelated session.
#include "worker/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "worker/guard.h"
#include "worker/process_tree.h"

namespace assay::worker {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTimeToDie{2000};  // after SIGKILL
constexpr int kCheckEvery = 2;            // ms

// The data that the child needs between vfork() and execve().
struct Launch {
  const char* program;
  char* const* argv;
  char* const* environment;
  const char* folder;  // null to inherit it
  int input;
  int output;
  int channel;  // -1 for none
  int report;   // the pipe for the reason if the program can't be started
  int control;  // the guard's end of the pipe that shows it our death; -1 without a guard
  bool core_dumps;
  std::optional<rlim_t> open_files;
  pid_t parent;
  sigset_t signals;
};

using Stage = LaunchStage;

[[noreturn]] void give_up(const Launch& launch, Stage stage) {
  const LaunchReport report{stage, errno};
  [[maybe_unused]] const ssize_t written = ::write(launch.report, &report, sizeof report);
  ::_exit(127);
}

void prefer_as_oom_victim() {
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(fd, kOomScore, std::strlen(kOomScore));
  ::close(fd);
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
    give_up(launch, Stage::setup);
  }
  if (launch.channel < 0) ::close(kChannel);
  ::close_range(kGuardReport + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

void prepare_program(const Launch& launch) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launch.parent) ::_exit(127);  // the parent died before the line above took effect
  prefer_as_oom_victim();
  // Keeps descriptors from the program that were opened without O_CLOEXEC or inherited. Fails harmlessly before Linux
  // 5.11.
  ::close_range(launch.channel >= 0 ? kChannel + 1 : STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

[[noreturn]] void become_program(const Launch& launch) {
  const bool guarded = launch.control >= 0;
  ::setsid();
  if (!launch.core_dumps) forbid_core_dumps();
  if (launch.open_files) limit_open_files(*launch.open_files);
  if (::dup2(launch.input, STDIN_FILENO) < 0 || ::dup2(launch.output, STDOUT_FILENO) < 0 ||
      ::dup2(launch.output, STDERR_FILENO) < 0 || (launch.channel >= 0 && ::dup2(launch.channel, kChannel) < 0)) {
    give_up(launch, Stage::setup);
  }
  if (guarded) {
    prepare_guard(launch);
  } else {
    prepare_program(launch);
  }
  if (launch.folder != nullptr && ::chdir(launch.folder) != 0) give_up(launch, Stage::folder);
  ::signal(SIGPIPE, SIG_DFL);  // this process may ignore them, but programs expect the default
  ::signal(SIGXFSZ, SIG_DFL);
  if (!guarded) ::sigprocmask(SIG_SETMASK, &launch.signals, nullptr);  // a guard blocks all and uses signalfd
  ::execve(launch.program, launch.argv, launch.environment);
  give_up(launch, Stage::program);
}

// The caller must block all signals: a handler would run in the child, on this process's memory.
__attribute__((noinline)) pid_t launch_child(const Launch& launch) {
  const pid_t pid = ::vfork();
  if (pid == 0) become_program(launch);
  return pid;
}

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
  return FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 16));
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

  Launch launch{.program = guarded ? command.guard.c_str() : program_path.c_str(),
                .argv = argv.data(),
                .environment = environment_pointers.data(),
                .folder = command.folder.empty() ? nullptr : command.folder.c_str(),
                .input = input.get(),
                .output = output.get(),
                .channel = channel.get(),
                .report = report_write.get(),
                .control = control.first.get(),
                .core_dumps = wiring.core_dumps,
                .open_files = command.open_files,
                .parent = ::getpid(),
                .signals = {}};
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &launch.signals);
  const pid_t pid = launch_child(launch);
  const int start_errno = errno;
  ::pthread_sigmask(SIG_SETMASK, &launch.signals, nullptr);
  if (pid < 0) return base::fail(base::system_error("cannot start a process", name, start_errno));

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
  if (grace.count() > 0 && !ended()) {
    const auto until = Clock::now() + grace;
    kill_all(tree_members(pid_), SIGTERM);
    static_cast<void>(ends_within(grace, output));
    // A shell exits at once, but the processes that it started may still clean up.
    while (Clock::now() < until && !tree_members(pid_).empty()) {
      pollfd fd{output.read_fd(), POLLIN, 0};
      ::poll(&fd, 1, kCheckEvery);
      output.drain();
    }
  }
  kill_tree();
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
