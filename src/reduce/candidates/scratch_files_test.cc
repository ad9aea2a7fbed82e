#include "reduce/candidates/scratch_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::reduce {
namespace {

namespace fs = std::filesystem;

class Scratch : public testing::Test {
 protected:
  base::TempDir dir_ = base::TempDir::create().value();
  base::SilentLog log_;
  const fs::path artifact_ = dir_.path() / "a.onnx";

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_.path())) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
  void write(const char* name) const { ASSERT_TRUE(base::write_file(dir_.path() / name, "x")); }
};

TEST_F(Scratch, GoesAtTheEnd) {
  {
    const auto scratch = ScratchFiles::claim(artifact_, log_).value();
    ASSERT_TRUE(scratch->add(artifact_));
    write("a.onnx");
    write("mine.onnx");
    EXPECT_THAT(files(), testing::ElementsAre(".a.onnx.assay", "a.onnx", "mine.onnx"));
  }
  EXPECT_THAT(files(), testing::ElementsAre("mine.onnx"));
}

TEST_F(Scratch, StaysWhereItIsToBeKept) {
  {
    const auto scratch = ScratchFiles::claim(artifact_, log_).value();
    ASSERT_TRUE(scratch->add(artifact_));
    write("a.onnx");
    scratch->keep();
  }
  EXPECT_THAT(files(), testing::ElementsAre("a.onnx"));
  EXPECT_FALSE(ScratchFiles::claim(artifact_, log_).value()->add(artifact_));  // it was kept, so it is the user's
}

TEST_F(Scratch, IsRefusedToASecondRun) {
  const auto scratch = ScratchFiles::claim(artifact_, log_).value();
  const auto second = ScratchFiles::claim(artifact_, log_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().what, testing::HasSubstr("another run"));
  EXPECT_THAT(files(), testing::ElementsAre(".a.onnx.assay"));
}

TEST_F(Scratch, OfAKilledRunIsCleanedUp) {
  // kill -9 leaves the list, a candidate, and half of another one under its temporary name.
  ASSERT_TRUE(base::write_file(dir_.path() / ".a.onnx.assay", "a.onnx\na.1.onnx\n../b\n"));
  for (const char* name : {"a.onnx", ".a.1.onnx.assay-x0Yz99", ".a.1.onnx.backup", "a.2.onnx", "b"}) write(name);
  const auto scratch = ScratchFiles::claim(artifact_, log_).value();
  EXPECT_THAT(files(), testing::ElementsAre(".a.1.onnx.backup", ".a.onnx.assay", "a.2.onnx", "b"));
  EXPECT_TRUE(scratch->add(artifact_));
  const auto foreign = scratch->add(dir_.path() / "a.2.onnx");  // the killed run didn't list it
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().kind, base::ErrorKind::invalid_input);
}

}  // namespace
}  // namespace assay::reduce
