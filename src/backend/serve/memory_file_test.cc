#include "backend/serve/memory_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace assay::backend {
namespace {

TEST(MemoryFile, IsReadByItsPathAlsoInChildrenUntilItEnds) {
  std::string path;
  {
    const auto file = MemoryFile::create("a model");
    ASSERT_TRUE(file);
    path = file->path();
    EXPECT_EQ(file->text(), "a model");
    EXPECT_EQ(file->map().value()->bytes().size(), 7U);
    EXPECT_EQ(std::system(("grep -qx 'a model' " + path).c_str()), 0);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace assay::backend
