// A crash of the machine can't be simulated here. Instead, this program's own fsync(2) records what is synced and in
// which order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/files.h"
#include "base/temp_dir.h"

namespace {

struct Syncs {
  std::filesystem::path watched;  // the committed file
  std::vector<std::string> seen;
};
Syncs* syncs = nullptr;

}  // namespace

// Replaces the C library's function in this program.
extern "C" int fsync(int fd) {
  struct stat info = {};
  if (syncs != nullptr && ::fstat(fd, &info) == 0) {
    syncs->seen.push_back(std::string(S_ISDIR(info.st_mode) ? "folder" : "file") +
                          (std::filesystem::exists(syncs->watched) ? " after rename" : " before rename"));
  }
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

extern "C" int syncfs(int fd) noexcept {
  if (syncs != nullptr) {
    syncs->seen.emplace_back(std::filesystem::exists(syncs->watched) ? "all after rename" : "all before rename");
  }
  return static_cast<int>(::syscall(SYS_syncfs, fd));
}

namespace assay::base {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> syncs_of(Durability durability) {
  const TempDir folder = TempDir::create().value();
  Syncs recorded{.watched = folder.path() / "f", .seen = {}};
  AtomicFile file = AtomicFile::create(recorded.watched).value();
  EXPECT_TRUE(file.write("text"));
  syncs = &recorded;
  EXPECT_TRUE(file.commit(durability));
  syncs = nullptr;
  return recorded.seen;
}

TEST(AtomicFile, SyncsTheFileAndThenItsNameInTheFolder) {
  EXPECT_THAT(syncs_of(Durability::machine), ElementsAre("file before rename", "folder after rename"));
  EXPECT_THAT(syncs_of(Durability::process), IsEmpty());
}

TEST(AtomicFile, SyncsManyFilesAtOnce) {
  const auto syncs_of_all = [](int count) {
    const TempDir folder = TempDir::create().value();
    std::vector<AtomicFile> files;
    for (int i = 0; i < count; ++i) {
      files.push_back(AtomicFile::create(folder.path() / std::to_string(i)).value());
      EXPECT_TRUE(files.back().write(std::to_string(i)));
    }
    Syncs recorded{.watched = folder.path() / "0", .seen = {}};
    syncs = &recorded;
    EXPECT_TRUE(AtomicFile::commit_all(files));
    syncs = nullptr;
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(read_file(folder.path() / std::to_string(i)).value(), std::to_string(i));
    }
    return recorded.seen;
  };
  EXPECT_THAT(syncs_of_all(2), ElementsAre("file before rename", "file before rename", "folder after rename"));
  EXPECT_THAT(syncs_of_all(100), ElementsAre("all before rename", "folder after rename"));
}

TEST(AtomicFile, CommitsInAFolderThatMayNotBeRead) {
  const TempDir folder = TempDir::create().value();
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_write | std::filesystem::perms::owner_exec);
  EXPECT_TRUE(write_file(folder.path() / "f", "text"));
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  EXPECT_EQ(read_file(folder.path() / "f").value(), "text");
}

}  // namespace
}  // namespace assay::base
