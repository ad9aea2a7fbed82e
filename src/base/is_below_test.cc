#include "base/is_below.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::base {
namespace {

namespace fs = std::filesystem;

TEST(IsBelow, ComparesWholeComponents) {
  EXPECT_TRUE(is_below("/a/b", "/a/b/c"));
  EXPECT_TRUE(is_below("/a/b", "/a/b/c/d"));
  EXPECT_TRUE(is_below("/a/b", "/a/b"));
  EXPECT_FALSE(is_below("/a/b", "/a/bc"));
  EXPECT_FALSE(is_below("/a/b", "/a"));
  EXPECT_FALSE(is_below("/a/b", "/b/a/b"));
}

TEST(IsBelow, EverythingIsBelowTheRoot) {
  EXPECT_TRUE(is_below("/", "/a"));
  EXPECT_TRUE(is_below("/", "/"));
}

TEST(IsBelow, AFolderThatIsNotCanonicalHasNothingBelowIt) {
  EXPECT_FALSE(is_below("/a/x/../b", "/a/b/c"));
  EXPECT_FALSE(is_below("/a/b/", "/a/b/c"));
  EXPECT_FALSE(is_below("a", "/a/b"));
}

TEST(IsBelow, CanonicalPathsResolveWhatLeadsOutside) {
  const TempDir temporary = TempDir::create().value();
  const fs::path root = fs::canonical(temporary.path());
  const fs::path folder = root / "folder";
  fs::create_directory(folder);
  for (const fs::path& file : {root / "outside", folder / "inside"}) ASSERT_TRUE(write_file(file, "x"));
  fs::create_symlink("../outside", folder / "out");
  fs::create_symlink("inside", folder / "in");
  fs::create_directory_symlink(root, folder / "up");
  const auto below = [&](const fs::path& path) { return is_below(folder, fs::canonical(folder / path)); };
  EXPECT_TRUE(below("inside"));
  EXPECT_TRUE(below("in"));
  EXPECT_TRUE(below("../folder/inside"));
  EXPECT_TRUE(below(folder / "inside")) << "an absolute path";
  EXPECT_FALSE(below("../outside"));
  EXPECT_FALSE(below("out"));
  EXPECT_FALSE(below("up/outside"));
  EXPECT_FALSE(below(root / "outside")) << "an absolute path";
}

}  // namespace
}  // namespace assay::base
