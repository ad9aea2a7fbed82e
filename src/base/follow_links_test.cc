#include "base/follow_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"

namespace assay::base {
namespace {

namespace fs = std::filesystem;

TEST(FollowLinks, EndsAtTheTargetWhichMayBeNew) {
  const TempDir dir = TempDir::create().value();
  const fs::path& at = dir.path();
  EXPECT_EQ(follow_links("new").value(), "new") << "no link";
  EXPECT_EQ(follow_links(at / "missing/new").value(), at / "missing/new")
      << "missing folders are the caller's to create";
  fs::create_directory(at / "far");
  fs::create_symlink("second", at / "first");
  fs::create_symlink(at / "far/new", at / "second");
  EXPECT_EQ(follow_links(at / "first").value(), at / "far/new");
  fs::create_symlink("far", at / "folder");
  EXPECT_EQ(follow_links(at / "folder").value(), at / "far");
}

TEST(FollowLinks, FailsIfNothingCanBeWrittenThere) {
  const TempDir dir = TempDir::create().value();
  fs::create_symlink("unmounted/file", dir.path() / "lost");
  const auto lost = follow_links(dir.path() / "lost");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::not_found);
  EXPECT_THAT(lost.error().message(), testing::HasSubstr("unmounted/file', in a missing folder"));
  fs::create_symlink("circle", dir.path() / "circle");
  EXPECT_THAT(follow_links(dir.path() / "circle").error().message(), testing::HasSubstr("Too many levels"));
}

}  // namespace
}  // namespace assay::base
