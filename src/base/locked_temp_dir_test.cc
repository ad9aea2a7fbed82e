#include "base/locked_temp_dir.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <vector>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::base {
namespace {

namespace fs = std::filesystem;

class LockedTempDirTest : public testing::Test {
 protected:
  [[nodiscard]] LockedTempDir create() const { return LockedTempDir::create("kind", parent_.path()).value(); }
  [[nodiscard]] std::size_t folders() const { return list_folder(parent_.path()).value().size(); }
  // Lets all folders look as if they had been written an hour ago.
  void age() const {
    const std::vector<fs::path> all = list_folder(parent_.path()).value();
    for (const fs::path& folder : all) {
      fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
  }

  TempDir parent_ = TempDir::create().value();
};

TEST_F(LockedTempDirTest, RemovesItsContent) {
  {
    const LockedTempDir folder = create();
    ASSERT_TRUE(write_file(folder.path() / "weights", "w"));
    EXPECT_EQ(folders(), 1);
  }
  EXPECT_EQ(folders(), 0);
}

TEST_F(LockedTempDirTest, KeepsFoldersWhoseOwnersLive) {
  const LockedTempDir first = create();
  age();
  const LockedTempDir second = create();
  EXPECT_TRUE(fs::exists(first.path()));
}

TEST_F(LockedTempDirTest, RemovesFoldersOfKilledProcesses) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const LockedTempDir folder = create();
    if (write_file(folder.path() / "weights", "w")) ::raise(SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(folders(), 1);
  { const LockedTempDir other = create(); }
  EXPECT_EQ(folders(), 1) << "the folder may have been created just now, and not be locked yet";
  age();
  { const LockedTempDir other = create(); }
  EXPECT_EQ(folders(), 0);
}

TEST_F(LockedTempDirTest, KeepsWhatHasAnotherName) {
  fs::create_directory(parent_.path() / "assay-kind-of-user");
  fs::create_directory(parent_.path() / "assay-other-abcdef");
  age();
  const LockedTempDir folder = create();
  EXPECT_EQ(folders(), 3);
}

}  // namespace
}  // namespace assay::base
