#include "worker/process_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace assay::worker {
namespace {

constexpr int kUnavailable = 77;

int in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Returns 0 if the calling process and its two children, one with a session of its own, are found.
int look_for_two_children() {
  const pid_t plain = fork();
  if (plain == 0) pause();
  const pid_t apart = fork();
  if (apart == 0) {
    setsid();
    pause();
  }
  const std::vector<pid_t> members = tree_members(getpid());
  const bool all = testing::Value(members, testing::UnorderedElementsAre(getpid(), plain, apart));
  for (const pid_t pid : {plain, apart}) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  return all && tree_members(getpid()) == std::vector<pid_t>{getpid()} ? 0 : 1;
}

TEST(ProcessTree, HoldsChildrenOfAnySession) {
  EXPECT_EQ(in_child(look_for_two_children), 0);
}

// The situation in a container that was started from a shell: the session belongs to a process that is invisible
// inside.
TEST(ProcessTree, HasChildrenIfTheSessionBeganOutsideOfTheNamespace) {
  const int code = in_child([] {
    if (unshare(CLONE_NEWPID | CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) != 0) {
      return kUnavailable;
    }
    return in_child([] {
      mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
      if (mount("proc", "/proc", "proc", 0, nullptr) != 0 || getsid(0) != 0) return kUnavailable;
      return look_for_two_children();
    });
  });
  if (code == kUnavailable) GTEST_SKIP() << "this machine lets us make no namespace of processes";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace assay::worker
