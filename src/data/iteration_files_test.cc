#include "data/iteration_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"

namespace assay::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class IterationFilesTest : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  void touch(const std::string& name) const { ASSERT_TRUE(base::write_file(path(name), "")); }
  base::TempDir folder_ = base::TempDir::create().value();
};

TEST_F(IterationFilesTest, AnExtensionMakesANewPathAFile) {
  EXPECT_FALSE(is_folder_form("a/b.json"));
  EXPECT_TRUE(is_folder_form("a.d/b"));
  EXPECT_EQ(iteration_file_name(7), "0000000007.json");
}

TEST_F(IterationFilesTest, ExistingPathsOverrideTheExtension) {
  touch("file");
  EXPECT_FALSE(is_folder_form(path("file")));
  std::filesystem::create_directory(path("folder.json"));
  EXPECT_TRUE(is_folder_form(path("folder.json")));
}

TEST_F(IterationFilesTest, AFolderGivesItsFilesByName) {
  touch("d/0000000010.json");
  touch("d/0000000002.json");
  touch("d/a.npz");
  touch("d/notes.txt");
  std::filesystem::create_directory(path("d/sub.json"));
  const auto files = iteration_files(path("d"));
  ASSERT_TRUE(files);
  EXPECT_THAT(*files, ElementsAre(path("d/0000000002.json"), path("d/0000000010.json"), path("d/a.npz")));
}

TEST_F(IterationFilesTest, FilesWithNumbersAsNamesComeInTheirOrder) {
  for (const char* name : {"d/10.npz", "d/9.npz", "d/1.npz"}) touch(name);
  EXPECT_THAT(*iteration_files(path("d")), ElementsAre(path("d/1.npz"), path("d/9.npz"), path("d/10.npz")));
}

TEST_F(IterationFilesTest, AFileGivesItself) {
  touch("inputs");
  EXPECT_THAT(*iteration_files(path("inputs")), ElementsAre(path("inputs")));
}

TEST_F(IterationFilesTest, AFolderWithoutSavedFilesIsAnError) {
  touch("other/notes.txt");
  const auto files = iteration_files(path("other"));
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().kind, base::ErrorKind::invalid_input);
  EXPECT_THAT(files.error().message(), HasSubstr("no .json or .npz files"));
}

TEST_F(IterationFilesTest, ADataSetOfOnnxIsAnIteration) {
  touch("model/model.onnx");
  for (const char* set : {"test_data_set_0", "test_data_set_10", "test_data_set_9"}) {
    touch("model/" + std::string(set) + "/input_0.pb");
  }
  touch("model/test_data_set_1/notes.txt");
  EXPECT_THAT(*iteration_files(path("model/test_data_set_9")), ElementsAre(path("model/test_data_set_9")));
  EXPECT_THAT(*iteration_files(path("model")), ElementsAre(path("model/test_data_set_0"), path("model/test_data_set_9"),
                                                           path("model/test_data_set_10")));
}

TEST_F(IterationFilesTest, MissingFilesAreNamed) {
  const auto files = iteration_files(path("nothing"));
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().kind, base::ErrorKind::not_found);
  EXPECT_THAT(files.error().message(), HasSubstr("nothing"));
}

TEST_F(IterationFilesTest, OnlyNewAndEmptyFoldersAreWrittenTo) {
  EXPECT_TRUE(prepare_folder(path("new/inside")));
  EXPECT_TRUE(std::filesystem::is_directory(path("new/inside")));
  EXPECT_TRUE(prepare_folder(path("new/inside")));
  touch("new/inside/x");
  EXPECT_THAT(prepare_folder(path("new/inside")).error().message(), HasSubstr("not empty"));
}

}  // namespace
}  // namespace assay::data
