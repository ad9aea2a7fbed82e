#include "diagnose/folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "diagnose/journal.h"

namespace assay::diagnose {
namespace {

using testing::HasSubstr;

class DiagnosisFolder : public testing::Test {
 protected:
  std::string error(bool resume) {
    const base::Status made = make_folder(folder_, resume);
    return made ? std::string() : made.error().message();
  }

  base::TempDir temp_ = base::TempDir::create().value();
  std::filesystem::path folder_ = temp_.path() / "m_diagnosis";
};

TEST_F(DiagnosisFolder, ANewOneIsCreated) {
  EXPECT_EQ(error(false), "");
  EXPECT_TRUE(std::filesystem::is_directory(folder_));
  EXPECT_EQ(error(true), "") << "there is nothing to resume yet";
}

TEST_F(DiagnosisFolder, OnlyADiagnosisCanBeResumed) {
  ASSERT_TRUE(base::write_file(temp_.path() / "file", ""));
  EXPECT_THAT(make_folder(temp_.path() / "file", false).error().message(), HasSubstr("this isn't a folder"));
  ASSERT_EQ(error(false), "");
  ASSERT_TRUE(base::write_file(folder_ / "notes.txt", "mine"));
  EXPECT_THAT(error(false), HasSubstr("isn't empty"));
  EXPECT_THAT(error(true), HasSubstr("no diagnosis that could be resumed"));
  ASSERT_TRUE(save_state({.identity = "a", .steps = {}, .facts = {}}, folder_));
  EXPECT_EQ(error(true), "");
}

TEST_F(DiagnosisFolder, AnotherDiagnosisIsNotResumed) {
  ASSERT_EQ(error(false), "");
  EXPECT_EQ(earlier_state(folder_, "a")->identity, "a") << "a new one";
  State state{.identity = "a", .steps = {}, .facts = {}};
  state.facts.message = "differs";
  ASSERT_TRUE(save_state(state, folder_));
  EXPECT_EQ(earlier_state(folder_, "a")->facts.message, "differs");
  EXPECT_THAT(earlier_state(folder_, "b").error().message(), HasSubstr("another model, or with other options"));
}

}  // namespace
}  // namespace assay::diagnose
