#include "worker/proc_stat.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace assay::worker {
namespace {

TEST(ProcStat, NamesMayContainSpacesAndBrackets) {
  const auto stat = parse_proc_stat("12 (a) R 1 (2) S 34 56 78 0 -1 4194304");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->parent, 34);
  EXPECT_EQ(stat->session, 78);
}

TEST(ProcStat, IsAbsentIfTheProcessHasEnded) {
  EXPECT_FALSE(parse_proc_stat("12 (name) Z 34 56 78 0"));
  EXPECT_FALSE(parse_proc_stat("12 (name) X 34 56 78 0"));
}

TEST(ProcStat, IsAbsentForOtherTexts) {
  for (const char* text : {"", "12", "12 (name)", "12 (name) S 34", "12 (name) S 34 56 x"}) {
    EXPECT_FALSE(parse_proc_stat(text)) << text;
  }
}

TEST(ProcStat, IsReadFromTheKernel) {
  const auto own = read_proc_stat(getpid());
  ASSERT_TRUE(own);
  EXPECT_EQ(own->parent, getppid());
  EXPECT_EQ(own->session, getsid(0));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(read_proc_stat(child)) << "it has ended, but isn't reaped";
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(read_proc_stat(child));
}

}  // namespace
}  // namespace assay::worker
