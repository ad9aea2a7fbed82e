#include "base/free_memory.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::base {
namespace {

class FreeMemory : public testing::Test {
 protected:
  void put(const std::string& file, std::string_view text) const { ASSERT_TRUE(write_file(root.path() / file, text)); }
  TempDir root = TempDir::create().value();
};

TEST_F(FreeMemory, IsTheAvailableMemoryOfTheMachine) {
  EXPECT_EQ(free_memory(root.path()), std::nullopt);
  put("proc/meminfo", "MemTotal:       24576 kB\nMemFree:  12 kB\nMemAvailable:   2048 kB\n");
  EXPECT_EQ(free_memory(root.path()), 2048U * 1024);
  EXPECT_GT(free_memory().value_or(0), 1U << 20) << "of this machine";
}

TEST_F(FreeMemory, RespectsTheTightestParentGroup) {
  put("proc/meminfo", "MemAvailable:   2048 kB\n");
  put("proc/self/cgroup", "0::/a/b\n");
  put("sys/fs/cgroup/a/b/memory.max", "max\n");
  put("sys/fs/cgroup/a/b/memory.current", "100\n");
  EXPECT_EQ(free_memory(root.path()), 2048U * 1024) << "a group without a limit";
  put("sys/fs/cgroup/a/memory.max", "100000\n");
  put("sys/fs/cgroup/a/memory.current", "70000\n");
  put("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 20000\n");
  EXPECT_EQ(free_memory(root.path()), 50000U) << "cached files can go";
}

TEST_F(FreeMemory, KnowsTheFirstVersionOfGroups) {
  put("proc/meminfo", "MemAvailable:   2048 kB\n");
  put("proc/self/cgroup", "4:cpu,memory:/x\n1:cpuset:/\n0::/\n");
  put("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "1000\n");
  put("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "5000\n");
  EXPECT_EQ(free_memory(root.path()), 0U) << "known, unlike above";
}

}  // namespace
}  // namespace assay::base
