#include "base/abandoned_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "base/atomic_file.h"
#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::base {
namespace {

namespace fs = std::filesystem;

class Abandoned : public testing::Test {
 protected:
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    const auto entries = list_folder(dir_.path()).value();
    for (const fs::path& path : entries) names.push_back(path.filename().string());
    return names;
  }

  TempDir dir_ = TempDir::create().value();
  const fs::path path_ = dir_.path() / "a.json";
};

TEST_F(Abandoned, FilesGoIfTheirWriterWasKilled) {
  const pid_t writer = fork();
  if (writer == 0) {
    const auto file = AtomicFile::create(path_);
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(writer, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(files().size(), 1u);
  EXPECT_TRUE(is_temporary_of(files().front(), "a.json"));
  remove_abandoned(dir_.path() / "b.json");
  EXPECT_EQ(files().size(), 1u) << "a temporary file of another file";
  remove_abandoned(path_);
  EXPECT_THAT(files(), testing::IsEmpty());
}

TEST_F(Abandoned, FilesNextToTheTargetOfALinkGo) {
  ASSERT_TRUE(write_file(dir_.path() / "far/.b.json.assay-abcdef", "half"));
  fs::create_symlink("far/b.json", path_);
  remove_abandoned(path_);
  EXPECT_TRUE(fs::is_empty(dir_.path() / "far"));
}

TEST_F(Abandoned, FilesOfSeveralNamesGoAtOnce) {
  for (const char* name : {".a.assay-abcdef", ".b.assay-x.assay-abcdef", ".c.assay-abcdef", ".assay-abcdef", "a"}) {
    ASSERT_TRUE(write_file(dir_.path() / name, "half"));
  }
  remove_abandoned(dir_.path(), {"a", "b.assay-x", ""});
  EXPECT_THAT(files(), testing::UnorderedElementsAre(".assay-abcdef", ".c.assay-abcdef", "a"));
}

TEST_F(Abandoned, FilesOfALivingWriterStay) {
  std::optional<AtomicFile> file = AtomicFile::create(path_).value();
  ASSERT_TRUE(file->write("text"));
  remove_abandoned(path_);
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(read_file(path_).value(), "text");
}

TEST_F(Abandoned, FilesOfTheUserStay) {
  const std::vector<std::string> names = {".a.json.assay-toolong", ".a.json.backup", "a.json", "a.json.assay-abcdef"};
  for (const std::string& name : names) ASSERT_TRUE(write_file(dir_.path() / name, "x"));
  remove_abandoned(path_);
  EXPECT_THAT(files(), testing::UnorderedElementsAreArray(names));
}

TEST_F(Abandoned, FilesInAFolderThatDoesNotExistAreNoError) {
  remove_abandoned("/no/such/folder/file");
}

}  // namespace
}  // namespace assay::base
