#include "worker/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "base/temp_dir.h"
#include "tests/support/paths.h"
#include "worker/process_tree.h"

namespace assay::worker {
namespace {

using testing::HasSubstr;

Command shell(const std::string& script) {
  return {.argv = {"/bin/sh", "-c", script}, .environment = {}, .folder = {}};
}

template <class T>
const T* failure(const Outcome<Exited>& outcome) {
  return outcome ? nullptr : std::get_if<T>(&outcome.error());
}

// Runs each test with and without a guard, and checks that it leaves no child behind, running or dead.
class Process : public testing::TestWithParam<bool> {
 protected:
  void TearDown() override {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }
  static base::Expected<Outcome<Exited>> run(Command command, const Limits& limits, const base::Stop& stop) {
    if (GetParam()) command.guard = test::workers_dir() / "assay-guard";
    return worker::run(command, limits, stop);
  }
  static Outcome<Exited> run_ok(const Command& command, const Limits& limits = {}) {
    const base::Stop stop;
    auto result = run(command, limits, stop);
    if (!result) {
      ADD_FAILURE() << result.error().message();
      return Exited{-1, {}};
    }
    return *result;
  }
  // Ends a command once it has created `file`, which shows that it is in the state that the test needs.
  static void end_once_there(const std::string& script, const std::filesystem::path& file) {
    base::Stop stop;
    std::atomic<bool> over = false;
    std::thread watcher([&] {
      while (!over && !std::filesystem::exists(file)) std::this_thread::yield();
      stop.request();
    });
    auto result = run(shell(script), {.time_s = 60, .memory_bytes = {}}, stop);
    over = true;
    watcher.join();
    EXPECT_TRUE(result && failure<Stopped>(*result));
  }
};
INSTANTIATE_TEST_SUITE_P(Alone, Process, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Guarded, Process, testing::Values(true));

// Returns true if the process whose id a command wrote to `file` is alive.
bool is_alive(const std::filesystem::path& file) {
  const std::string text = base::read_file(file).value_or("");
  const pid_t pid = std::atoi(text.c_str());
  EXPECT_GT(pid, 0) << "the command wrote no process number to " << file;
  return pid > 0 && !session_members(getsid(pid)).empty() && kill(pid, 0) == 0 && [pid] {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(stat, line);
    return !line.empty() && line.substr(line.rfind(')') + 2, 1) != "Z";
  }();
}

TEST_P(Process, ReturnsExitCodeAndBothStreamsInTheirOrder) {
  const auto outcome = run_ok(shell("echo one; echo two >&2; echo three; exit 42"));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->code, 42);
  EXPECT_EQ(outcome->output, "one\ntwo\nthree\n");
}

TEST_P(Process, SaysThatTheLimitOnOpenFilesIsTooLow) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 12;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  const auto result = run(shell("exit 0"), {}, base::Stop());
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("Too many open files"));
}

TEST_P(Process, FindsProgramsInPath) {
  const auto outcome = run_ok({.argv = {"sh", "-c", "exit 0"}, .environment = {}, .folder = {}});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->code, 0);
}

TEST_P(Process, PassesArgumentsAsTheyAre) {
  const auto outcome =
      run_ok({.argv = {"printf", "%s|", "a b", "$HOME", "*", "", "'\""}, .environment = {}, .folder = {}});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->output, "a b|$HOME|*||'\"|");
}

TEST_P(Process, AddsAndReplacesEnvironmentVariables) {
  Command command = shell("printf '%s %s' \"$ASSAY_TEST_NEW\" \"$HOME\"; test -n \"$PATH\"");
  command.environment = {{"ASSAY_TEST_NEW", "x y"}, {"HOME", "/nowhere"}};
  const auto outcome = run_ok(command);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->code, 0);
  EXPECT_EQ(outcome->output, "x y /nowhere");
}

TEST_P(Process, RunsInTheGivenFolder) {
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(base::write_file(folder->path() / "tool", "#!/bin/sh\npwd -P\n"));
  std::filesystem::permissions(folder->path() / "tool", std::filesystem::perms::owner_all);
  const auto outcome = run_ok({.argv = {"./tool"}, .environment = {}, .folder = folder->path()});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->output, std::filesystem::canonical(folder->path()).string() + "\n");
}

TEST_P(Process, HasNoInputAndNoneOfOurDescriptors) {
  const int leaked = dup(STDOUT_FILENO);  // without O_CLOEXEC
  const auto outcome = run_ok(shell("cat; ls /proc/self/fd | wc -l"));
  close(leaked);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->output, "4\n");  // 0, 1, 2 and the folder that ls reads
}

TEST_P(Process, ResetsIgnoredSignals) {
  struct sigaction ignore = {};
  struct sigaction before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  const auto outcome = run_ok(shell("grep SigIgn /proc/self/status"));
  sigaction(SIGPIPE, &before, nullptr);
  ASSERT_TRUE(outcome);
  const std::uint64_t mask = std::strtoull(outcome->output.substr(outcome->output.find('\t')).c_str(), nullptr, 16);
  EXPECT_EQ(mask & (1ULL << (SIGPIPE - 1)), 0U) << outcome->output;
}

TEST_P(Process, NamesTheSignalOfACrashAndKeepsTheOutput) {
  const auto outcome = run_ok(shell("echo before; kill -SEGV $$"));
  const auto* crashed = failure<Crashed>(outcome);
  ASSERT_NE(crashed, nullptr);
  EXPECT_EQ(crashed->signal, SIGSEGV);
  EXPECT_EQ(crashed->last_output, "before\n");
}

TEST_P(Process, ReportsAMissingProgram) {
  const base::Stop stop;
  for (const char* name : {"assay-no-such-program", "/no/such/program", "./no-such-program"}) {
    const auto result = run({.argv = {name}, .environment = {}, .folder = {}}, {}, stop);
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().kind, base::ErrorKind::not_found);
    EXPECT_THAT(result.error().message(), HasSubstr(name));
  }
}

TEST_P(Process, ReportsWhyAFileCannotBeRun) {
  const base::Stop stop;
  const auto folder = base::TempDir::create();
  const auto path = folder->path() / "script";
  ASSERT_TRUE(base::write_file(path, "#!/no/such/interpreter\n"));
  const auto refused = run({.argv = {path.string()}, .environment = {}, .folder = {}}, {}, stop);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("chmod +x"));

  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  const auto no_interpreter = run({.argv = {path.string()}, .environment = {}, .folder = {}}, {}, stop);
  ASSERT_FALSE(no_interpreter);
  EXPECT_THAT(no_interpreter.error().message(), HasSubstr("interpreter"));

  ASSERT_TRUE(base::write_file(path, "exit 0\n"));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  const auto no_first_line = run({.argv = {path.string()}, .environment = {}, .folder = {}}, {}, stop);
  ASSERT_FALSE(no_first_line);
  EXPECT_THAT(no_first_line.error().message(), HasSubstr("#!/bin/sh"));
}

TEST_P(Process, ReportsAMissingFolder) {
  const base::Stop stop;
  Command command = shell("true");
  command.folder = "/no/such/folder";
  const auto result = run(command, {}, stop);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("/no/such/folder"));
}

TEST_P(Process, EndsACommandThatTakesTooLong) {
  const auto outcome = run_ok(shell("sleep 1000"), {.time_s = 0.05, .memory_bytes = {}});
  const auto* timed_out = failure<TimedOut>(outcome);
  ASSERT_NE(timed_out, nullptr);
  EXPECT_EQ(timed_out->limit_s, 0.05);
}

// Returns shell text that writes the shell's process id to a file atomically.
std::string write_pid(const std::filesystem::path& file) {
  return "echo $$ > " + file.string() + ".part; mv " + file.string() + ".part " + file.string() + "; ";
}

TEST_P(Process, EndsACommandThatIgnoresSigterm) {
  const auto folder = base::TempDir::create();
  const auto file = folder->path() / "pid";
  end_once_there("trap '' TERM; " + write_pid(file) + "while :; do sleep 1000; done", file);
  EXPECT_FALSE(is_alive(file));
}

TEST_P(Process, LetsACommandCleanUpBeforeItIsKilled) {
  const auto folder = base::TempDir::create();
  const auto cleaned = folder->path() / "cleaned";
  const auto file = folder->path() / "pid";
  end_once_there("trap 'echo yes > " + cleaned.string() + "; exit 0' TERM; sleep 1000 & " + write_pid(file) + "wait",
                 file);
  EXPECT_EQ(base::read_file(cleaned).value_or(""), "yes\n");
}

// The shell that started it exits at once because it has no trap.
TEST_P(Process, LetsDescendantsCleanUpToo) {
  const auto folder = base::TempDir::create();
  const auto cleaned = folder->path() / "cleaned";
  const auto file = folder->path() / "pid";
  const std::string script = (folder->path() / "script").string();
  ASSERT_TRUE(base::write_file(script, "trap 'for i in $(seq 10); do /bin/true; done; echo yes > " + cleaned.string() +
                                           "; exit 0' TERM; sleep 1000 & " + write_pid(file) + "wait"));
  end_once_there("sh " + script + "; true", file);
  EXPECT_EQ(base::read_file(cleaned).value_or(""), "yes\n");
}

// timeout(1) makes a process group of its own, setsid(1) even a session.
TEST_P(Process, KillsDescendantsThatMovedToAnotherGroup) {
  const auto folder = base::TempDir::create();
  const auto file = folder->path() / "pid";
  const std::string script = (folder->path() / "script").string();
  ASSERT_TRUE(base::write_file(script, write_pid(file) + "exec sleep 1000"));
  end_once_there("timeout 1000 setsid -w sh " + script + "; true", file);
  EXPECT_FALSE(is_alive(file));
}

// SIGTERM ends the shell that started it, so nothing in /proc connects it with the command any more.
TEST_P(Process, KillsDescendantsInAnotherSessionThatIgnoreSigterm) {
  const auto folder = base::TempDir::create();
  const auto file = folder->path() / "pid";
  const std::string script = (folder->path() / "script").string();
  ASSERT_TRUE(base::write_file(script, "trap '' TERM; " + write_pid(file) + "exec sleep 1000"));
  end_once_there("setsid -w sh " + script + "; true", file);
  EXPECT_FALSE(is_alive(file));
}

TEST_P(Process, KillsRemainingProcesses) {
  const auto folder = base::TempDir::create();
  const auto file = folder->path() / "pid";
  const auto outcome = run_ok(shell("sleep 1000 & echo $! > " + file.string() + "; echo done"));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->output, "done\n");
  EXPECT_FALSE(is_alive(file));
}

TEST_P(Process, EndsACommandThatTakesTooMuchMemory) {
  constexpr std::uint64_t kLimit = 64 << 20;
  const auto outcome =
      run_ok(shell("x=0123456789abcdef; while :; do x=$x$x; done"), {.time_s = 60, .memory_bytes = kLimit});
  const auto* out_of_memory = failure<OutOfMemory>(outcome);
  ASSERT_NE(out_of_memory, nullptr);
  EXPECT_EQ(out_of_memory->limit_bytes, kLimit);
}

TEST_P(Process, CountsTheMemoryOfTheWholeGroup) {
  // Four processes, each below the limit.
  const std::string eater = "x=0123456789abcdef; while [ ${#x} -lt 30000000 ]; do x=$x$x; done; sleep 1000";
  const auto outcome = run_ok(shell("(" + eater + ") & (" + eater + ") & (" + eater + ") & (" + eater + ") & wait"),
                              {.time_s = 60, .memory_bytes = 128 << 20});
  EXPECT_NE(failure<OutOfMemory>(outcome), nullptr);
}

TEST_P(Process, RunsWithinItsMemoryLimit) {
  const auto outcome = run_ok(shell("echo fine"), {.time_s = 60, .memory_bytes = 1 << 30});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->output, "fine\n");
}

TEST_P(Process, StopsWhenAskedTo) {
  base::Stop stop;
  std::thread asker([&stop] { stop.request(); });
  const auto result = run(shell("sleep 1000"), {}, stop);
  asker.join();
  ASSERT_TRUE(result);
  EXPECT_NE(failure<Stopped>(*result), nullptr);
}

TEST_P(Process, StartsNothingOnceStopped) {
  base::Stop stop;
  stop.request();
  const auto folder = base::TempDir::create();
  const auto result = run(shell("touch " + (folder->path() / "file").string()), {}, stop);
  ASSERT_TRUE(result);
  EXPECT_NE(failure<Stopped>(*result), nullptr);
  EXPECT_FALSE(std::filesystem::exists(folder->path() / "file"));
}

TEST_P(Process, KeepsBothEndsOfALongOutput) {
  const auto outcome = run_ok(shell("echo first; head -c 40000000 /dev/zero | tr '\\0' x; echo last"));
  ASSERT_TRUE(outcome);
  EXPECT_LT(outcome->output.size(), (16U << 20) + 200);
  EXPECT_THAT(outcome->output.substr(0, 10), HasSubstr("first\nxxxx"));
  EXPECT_EQ(outcome->output.substr(outcome->output.size() - 8), "xxxlast\n");
  EXPECT_THAT(outcome->output, HasSubstr("23222795 bytes left out"));
}

TEST_P(Process, DiesWithTheThreadThatStartedIt) {
  // A child process starts a command, reports that, and is killed before it can clean up.
  const auto folder = base::TempDir::create();
  const auto file = folder->path() / "pid";
  const pid_t middle = fork();
  if (middle == 0) {
    const base::Stop stop;
    static_cast<void>(run(shell(write_pid(file) + "exec sleep 1000"), {}, stop));
    _exit(1);
  }
  while (!std::filesystem::exists(file)) std::this_thread::yield();
  const pid_t grandchild = std::atoi(base::read_file(file)->c_str());
  kill(middle, SIGKILL);
  waitpid(middle, nullptr, 0);
  while (getsid(grandchild) == grandchild && !session_members(grandchild).empty()) std::this_thread::yield();
  EXPECT_FALSE(is_alive(file));
}

TEST_P(Process, ManyRunAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] {
      for (int round = 0; round < 5; ++round) {
        const auto outcome = run_ok(shell("echo " + std::to_string(i) + "; exit " + std::to_string(i)));
        ASSERT_TRUE(outcome);
        EXPECT_EQ(outcome->code, i);
        EXPECT_EQ(outcome->output, std::to_string(i) + "\n");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Process, GetsTheSignalsThatWeGet) {
  sigset_t one;
  sigset_t before;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &one, &before);
  const auto outcome =  // not by a shell, which blocks no signals
      run_ok({.argv = {"grep", "SigBlk", "/proc/self/status"}, .environment = {}, .folder = {}});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(outcome);
  const std::uint64_t mask = std::strtoull(outcome->output.substr(outcome->output.find('\t')).c_str(), nullptr, 16);
  EXPECT_EQ(mask, 1ULL << (SIGUSR2 - 1)) << outcome->output;
}

}  // namespace
}  // namespace assay::worker
