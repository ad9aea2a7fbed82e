#include "data/merge_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "base/test_log.h"
#include "data/inputs_file.h"
#include "data/testdata/fixture.h"

namespace assay::data {
namespace {

using tensor::NamedTensors;
using test::data_fixture;
using test::floats;
using test::named;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using Iterations = std::vector<NamedTensors>;

class MergeDataTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = base::TempDir::create();
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    ASSERT_TRUE(save_inputs(path("x.json"), {named({{"x", floats({}, {1})}}), named({{"x", floats({}, {2})}})}));
    ASSERT_TRUE(save_inputs(path("y.json"), {named({{"y", floats({}, {3})}}), named({{"y", floats({}, {4})}})}));
    ASSERT_TRUE(save_inputs(path("one.json"), {named({{"x", floats({}, {9})}})}));
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_->path() / name; }
  static float value(const NamedTensors& iteration, const char* name) { return iteration.find(name)->load<float>(0); }
  std::optional<base::TempDir> folder_;
  base::test::TestLog log_;
};

TEST_F(MergeDataTest, IterationsGetTheArraysOfAllFiles) {
  const auto merged = merge_data({path("x.json"), path("y.json")}, log_);
  ASSERT_TRUE(merged) << merged.error().message();
  ASSERT_EQ(merged->size(), 2U);
  EXPECT_THAT((*merged)[0].names(), ElementsAre("x", "y"));
  EXPECT_EQ(value((*merged)[0], "x"), 1);
  EXPECT_EQ(value((*merged)[0], "y"), 3);
  EXPECT_EQ(value((*merged)[1], "x"), 2);
  EXPECT_EQ(value((*merged)[1], "y"), 4);
  EXPECT_TRUE(log_.messages().empty());
}

TEST_F(MergeDataTest, OutputsBecomeInputs) {
  const auto merged = merge_data({data_fixture("inputs.json"), data_fixture("outputs.json")}, log_);
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->size(), 2U);
  EXPECT_EQ((*merged)[1].size(), 32U);
  EXPECT_TRUE(tensor::identical(*(*merged)[1].find("f32"), *(*merged)[1].find("f32_out")));
  ASSERT_TRUE(save_data(path("merged.json"), *merged));
  EXPECT_EQ(load_inputs(path("merged.json"))->size(), 2U);
}

TEST_F(MergeDataTest, FilesWithoutIterationsGiveAWarning) {
  ASSERT_TRUE(save_inputs(path("none.json"), Iterations()));
  const auto merged = merge_data({path("none.json")}, log_);
  ASSERT_TRUE(merged) << merged.error().message();
  EXPECT_TRUE(merged->empty());
  EXPECT_THAT(log_.messages(), ElementsAre(HasSubstr("No iteration was found in: " + path("none.json").string())));
}

TEST_F(MergeDataTest, TheLaterArrayOfANameStays) {
  const auto merged = merge_data({path("x.json"), path("one.json")}, log_);
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->size(), 2U);
  EXPECT_EQ(value((*merged)[0], "x"), 9);
  EXPECT_EQ(value((*merged)[1], "x"), 2);
  EXPECT_THAT(log_.messages(), Contains(HasSubstr("has 1 iteration, but the files before it have 2")));
  EXPECT_THAT(log_.messages(), Contains(HasSubstr("'x' occurs again")));
}

TEST_F(MergeDataTest, TheLaterRunnerOfAFileStays) {
  const auto merged = merge_data({data_fixture("uneven.json")}, log_);
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->size(), 3U);
  EXPECT_EQ(value((*merged)[0], "x_out"), 10);
  EXPECT_EQ(value((*merged)[2], "x_out"), 3);
}

TEST_F(MergeDataTest, FoldersAreTakenToo) {
  const auto merged = merge_data({data_fixture("inputs"), data_fixture("outputs")}, log_);
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->size(), 3U);
  EXPECT_THAT((*merged)[2].names(), ElementsAre("x", "y", "x_out", "y_out"));
}

TEST_F(MergeDataTest, ConcatPutsInputsEndToEnd) {
  const auto all = concat_data({path("x.json"), path("one.json")}, log_);
  ASSERT_TRUE(all);
  const auto& inputs = std::get<Iterations>(*all);
  ASSERT_EQ(inputs.size(), 3U);
  EXPECT_EQ(value(inputs[0], "x"), 1);
  EXPECT_EQ(value(inputs[2], "x"), 9);
  EXPECT_TRUE(log_.messages().empty());
}

TEST_F(MergeDataTest, ConcatReportsOtherNames) {
  const auto all = concat_data({path("one.json"), path("y.json")}, log_);
  ASSERT_TRUE(all);
  EXPECT_EQ(std::get<Iterations>(*all).size(), 3U);
  EXPECT_THAT(log_.messages(), ElementsAre(HasSubstr("y instead of x"), HasSubstr("y instead of x")));
}

TEST_F(MergeDataTest, ConcatJoinsOutputsByRunner) {
  const auto all =
      concat_data({data_fixture("uneven.json"), data_fixture("outputs"), data_fixture("uneven.json")}, log_);
  ASSERT_TRUE(all);
  const auto& results = std::get<RunResults>(*all);
  ASSERT_EQ(results.runners.size(), 4U);
  EXPECT_EQ(results.runners[0].runner, "a");
  EXPECT_EQ(results.runners[0].iterations.size(), 6U);
  EXPECT_EQ(results.runners[1].iterations.size(), 2U);
  EXPECT_EQ(results.runners[2].iterations.size(), 3U);
}

TEST_F(MergeDataTest, ConcatOfInputsAndOutputsIsAnError) {
  const auto all = concat_data({path("x.json"), data_fixture("uneven.json")}, log_);
  ASSERT_FALSE(all);
  EXPECT_THAT(all.error().message(), testing::AllOf(HasSubstr("uneven.json"), HasSubstr("data merge")));
}

TEST_F(MergeDataTest, MissingFilesAreNamed) {
  EXPECT_THAT(merge_data({path("nothing.json")}, log_).error().message(), HasSubstr("nothing.json"));
  EXPECT_THAT(concat_data({path("x.json"), path("nothing.json")}, log_).error().message(), HasSubstr("nothing.json"));
}

}  // namespace
}  // namespace assay::data
