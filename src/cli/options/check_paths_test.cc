#include "cli/options/check_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/files.h"
#include "base/temp_dir.h"
#include "tests/support/paths.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CheckPaths : public testing::Test {
 protected:
  [[nodiscard]] std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  const base::TempDir folder_ = base::TempDir::create().value();
};

TEST_F(CheckPaths, LetFilesOfTheirOwnPass) {
  EXPECT_TRUE(check_paths({{"--a", at("a")}, {"--b", at("b")}, {"--c", ""}, {"--d", ""}}, {{"--e", at("e")}}));
  EXPECT_TRUE(check_paths({{"--a", "/dev/null"}, {"--b", "/dev/null"}}, {}));
}

TEST_F(CheckPaths, FindTwoThatWriteToOneFile) {
  const auto status = check_paths({{"--a", at("x.json")}, {"--b", at("sub/../x.json")}}, {});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("--a and --b"));
  EXPECT_FALSE(check_paths({{"--a", at("new")}, {"--b", at("new/")}}, {}));
}

TEST_F(CheckPaths, FindWhatIsReadUnderAnotherName) {
  ASSERT_TRUE(base::write_file(at("real.json"), ""));
  fs::create_symlink(at("real.json"), at("link.json"));
  const auto status = check_paths({{"--save", at("link.json")}}, {{"--load", at("real.json")}});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("--save would write to what --load reads"));
}

TEST_F(CheckPaths, FindAFileOfAFolderThatIsRead) {
  fs::create_directory(at("golden"));
  EXPECT_FALSE(check_paths({{"--save", at("golden/0.json")}}, {{"--load", at("golden")}}));
  EXPECT_TRUE(check_paths({{"--save", at("other/0.json")}}, {{"--load", at("golden")}}));
}

TEST_F(CheckPaths, FindTheWeightsOfAModelThatIsRead) {
  for (const char* name : {"ext_weights.onnx", "ext_weights.data"}) {
    fs::copy(test::models_dir() / name, at(name));
  }
  const OptionPath model = {"the model", at("ext_weights.onnx")};
  const auto status = check_paths({{"--save", at("ext_weights.data")}}, {model});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("--save would write to what the model reads"));
  EXPECT_TRUE(check_paths({{"--save", at("new.data")}}, {model}));
}

// Opening the pipe would wait for its reader, and closing it would end the reader.
TEST_F(CheckPaths, LeaveAPipeAlone) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(check_writable(at("pipe"), "-o"));
}

TEST_F(CheckPaths, FindAFolderInWhichNoFileCanBeCreated) {
  EXPECT_TRUE(check_writable_folder("", "--maps"));
  EXPECT_TRUE(check_writable_folder(at("new/maps"), "--maps"));
  EXPECT_TRUE(fs::is_empty(at("new/maps")));
  ASSERT_TRUE(base::write_file(at("file"), ""));
  for (const std::string& folder : {at("file"), std::string("/proc/maps-of-nothing")}) {
    const auto status = check_writable_folder(folder, "--maps");
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message(), HasSubstr("--maps"));
    EXPECT_EQ(status.error().where, folder);
  }
}

}  // namespace
}  // namespace assay::cli
