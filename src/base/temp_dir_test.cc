#include "base/temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"

namespace assay::base {
namespace {

TEST(TempDir, RemovesItsContent) {
  std::filesystem::path path;
  {
    const TempDir dir = TempDir::create().value();
    path = dir.path();
    ASSERT_TRUE(write_file(path / "x/y", "z"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace assay::base
