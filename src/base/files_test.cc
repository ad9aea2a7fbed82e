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

}  // namespace
}  // namespace assay::base
