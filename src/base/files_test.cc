#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"

namespace assay::base {
namespace {

TEST(ListFolder, IsSortedAndFailsIfTheFolderIsMissing) {
  const TempDir dir = TempDir::create().value();
  for (const char* name : {"b", "a", "c"}) ASSERT_TRUE(write_file(dir.path() / name, ""));
  EXPECT_THAT(list_folder(dir.path()).value(),
              testing::ElementsAre(dir.path() / "a", dir.path() / "b", dir.path() / "c"));
  EXPECT_EQ(list_folder(dir.path() / "none").error().kind, ErrorKind::not_found);
}

TEST(CopyFile, ReplacesAFileByTheBytesOfAnother) {
  const TempDir dir = TempDir::create().value();
  ASSERT_TRUE(write_file(dir.path() / "a", "new"));
  ASSERT_TRUE(write_file(dir.path() / "b", "older"));
  EXPECT_FALSE(have_same_bytes(dir.path() / "a", dir.path() / "b").value());
  ASSERT_TRUE(base::copy_file(dir.path() / "a", dir.path() / "b"));
  EXPECT_EQ(read_file(dir.path() / "b").value(), "new");
  EXPECT_TRUE(have_same_bytes(dir.path() / "a", dir.path() / "b").value());
  EXPECT_EQ(base::copy_file(dir.path() / "none", dir.path() / "b").error().kind, ErrorKind::not_found);
  EXPECT_EQ(read_file(dir.path() / "b").value(), "new");
}

}  // namespace
}  // namespace assay::base
