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

TEST(AtomicFile, CommitsInAFolderThatMayNotBeRead) {
  const TempDir folder = TempDir::create().value();
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_write | std::filesystem::perms::owner_exec);
  EXPECT_TRUE(write_file(folder.path() / "f", "text"));
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  EXPECT_EQ(read_file(folder.path() / "f").value(), "text");
}

}  // namespace
}  // namespace assay::base
