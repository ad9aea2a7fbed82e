// Tests what only a guard can do: end processes that have left their session and lost their parents.
#include "worker/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

#include "base/files.h"
#include "base/temp_dir.h"
#include "tests/support/paths.h"
#include "worker/file_descriptor.h"
#include "worker/process.h"

namespace assay::worker {
namespace {

constexpr int kUnavailable = 77;

class Guard : public testing::Test {
 protected:
  // Returns a shell command that starts `process` with a session of its own in the background of a shell that exits at
  // once, and then runs `rest`. The process writes its id to at("pid").
  [[nodiscard]] Command stray(const std::string& process, const std::string& rest) const {
    const std::string script = (folder_.path() / "stray.sh").string();
    const std::string pid = at("pid").string();
    EXPECT_TRUE(base::write_file(script, "echo $$ > " + pid + ".part; mv " + pid + ".part " + pid + "; " + process));
    return {.argv = {"sh", "-c", "(setsid sh " + script + " &); until [ -e " + pid + " ]; do :; done; " + rest},
            .environment = {},
            .folder = {},
            .guard = test::workers_dir() / "assay-guard"};
  }
  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_.path() / name; }
  [[nodiscard]] pid_t stray_pid() const { return std::atoi(base::read_file(at("pid")).value_or("").c_str()); }

  base::TempDir folder_ = base::TempDir::create().value();
};

TEST_F(Guard, KillsRemainingProcessesOfAnySession) {
  const auto outcome = run(stray("exec sleep 1000", "echo done; exit 42"), {}, base::Stop());
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_EQ((*outcome)->code, 42);
  EXPECT_EQ((*outcome)->output, "done\n");
  ASSERT_GT(stray_pid(), 0);
  EXPECT_EQ(kill(stray_pid(), 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

// Only Assay may ask it to wait for the strays.
TEST_F(Guard, KillsStraysIfOthersSendItSigterm) {
  const auto outcome =
      run(stray("exec sleep 1000", "kill -TERM $PPID; exit 42"), {.time_s = 60, .memory_bytes = {}}, base::Stop());
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_EQ((*outcome)->code, 42);
  EXPECT_EQ(kill(stray_pid(), 0), -1);
}

// `pkill -9 -f` with the name of a check must not hit the guard, which ends what the check has started.
TEST_F(Guard, DoesNotShowTheCommandAsItsOwn) {
  Command command{.argv = {"sh", "-c", "tr '\\0' ' ' < /proc/$PPID/cmdline; exit 42", "name of the check"},
                  .environment = {},
                  .folder = {}};
  command.guard = test::workers_dir() / "assay-guard";
  const auto outcome = run(command, {}, base::Stop());
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_EQ((*outcome)->code, 42);
  EXPECT_THAT((*outcome)->output, testing::StartsWith("assay-guard"));
  EXPECT_THAT((*outcome)->output, testing::Not(testing::HasSubstr("check")));
}

TEST_F(Guard, LetsStraysCleanUpWhenACommandIsStopped) {
  base::Stop stop;
  std::thread watcher([&] {
    while (!std::filesystem::exists(at("ready"))) std::this_thread::yield();
    stop.request();
  });
  const std::string clean_up = "trap 'echo yes > " + at("cleaned").string() + "; exit 0' TERM; ";
  const auto outcome = run(stray(clean_up + "touch " + at("ready").string() + "; sleep 1000 & wait", "sleep 1000"),
                           {.time_s = 60, .memory_bytes = {}}, stop);
  watcher.join();
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(*outcome);
  EXPECT_EQ(kill(stray_pid(), 0), -1);
  EXPECT_EQ(base::read_file(at("cleaned")).value_or(""), "yes\n");
}

// The tool is killed before it can end anything.
TEST_F(Guard, KillsAllWhenTheToolIsKilled) {
  const pid_t tool = fork();
  if (tool == 0) {
    const std::string command_pid = at("command").string();
    const std::string rest = "echo $$ > " + command_pid + ".part; mv " + command_pid + ".part " + command_pid +
                             "; trap '' TERM HUP; while :; do sleep 1000; done";
    static_cast<void>(run(stray("exec sleep 1000", rest), {}, base::Stop()));
    _exit(1);
  }
  while (!std::filesystem::exists(at("command"))) std::this_thread::yield();
  const pid_t command = std::atoi(base::read_file(at("command")).value_or("").c_str());
  std::vector<FileDescriptor> ends;
  for (const pid_t pid : {stray_pid(), command}) {
    ends.emplace_back(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!ends.back().valid() && errno == ENOSYS)
      GTEST_SKIP() << "this kernel can't wait for a process that isn't a child";
    ASSERT_TRUE(ends.back().valid());
  }
  kill(tool, SIGKILL);
  waitpid(tool, nullptr, 0);
  for (const FileDescriptor& end : ends) {
    pollfd fd{end.get(), POLLIN, 0};
    EXPECT_EQ(poll(&fd, 1, 60'000), 1) << "it lives on";
  }
}

TEST_F(Guard, EndsAsTheCommandDoes) {
  Command command{.argv = {"sh", "-c", "echo last words; kill -SEGV $$"}, .environment = {}, .folder = {}};
  command.guard = test::workers_dir() / "assay-guard";
  const auto outcome = run(command, {}, base::Stop());
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(*outcome);
  const auto* crashed = std::get_if<Crashed>(&outcome->error());
  ASSERT_NE(crashed, nullptr);
  EXPECT_EQ(crashed->signal, SIGSEGV);
  EXPECT_EQ(crashed->last_output, "last words\n");
}

TEST_F(Guard, IsDoneWithoutIfItDoesNotExist) {
  Command command{.argv = {"sh", "-c", "exit 3"}, .environment = {}, .folder = {}};
  command.guard = "/no/such/guard";
  const auto outcome = run(command, {}, base::Stop());
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_EQ((*outcome)->code, 3);
}

// The situation in a container that was started from a shell: the session belongs to a process that is invisible
// inside.
TEST_F(Guard, KillsStraysIfTheSessionBeganOutsideOfTheNamespace) {
  const auto in_child = [](const auto& work) {
    const pid_t child = fork();
    if (child == 0) _exit(work());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const int code = in_child([&] {
    if (unshare(CLONE_NEWPID | CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) != 0) {
      return kUnavailable;
    }
    return in_child([&] {
      mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
      if (mount("proc", "/proc", "proc", 0, nullptr) != 0 || getsid(0) != 0) return kUnavailable;
      const auto outcome = run(stray("exec sleep 1000", "exit 5"), {}, base::Stop());
      if (!outcome || !*outcome || (*outcome)->code != 5) return 1;
      return stray_pid() > 0 && kill(stray_pid(), 0) == -1 && errno == ESRCH ? 0 : 2;
    });
  });
  if (code == kUnavailable) GTEST_SKIP() << "this machine lets us make no namespace of processes";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace assay::worker
