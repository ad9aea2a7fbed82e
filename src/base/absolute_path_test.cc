#include "base/absolute_path.h"

#include <gtest/gtest.h>

#include "base/temp_dir.h"

namespace assay::base {
namespace {

namespace fs = std::filesystem;

TEST(AbsolutePath, BeginsWithTheWorkingFolder) {
  EXPECT_EQ(absolute_path("a/b"), fs::current_path() / "a/b");
  EXPECT_EQ(absolute_path("/a"), "/a");
}

TEST(AbsolutePath, StaysRelativeInAFolderThatWasRemoved) {
  const fs::path before = fs::current_path();
  const TempDir folder = TempDir::create().value();
  fs::current_path(folder.path());
  fs::remove(folder.path());
  const fs::path path = absolute_path("a/b");
  fs::current_path(before);
  EXPECT_EQ(path, "a/b");
}

}  // namespace
}  // namespace assay::base
