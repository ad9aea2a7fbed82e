#include "locate/seen_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace assay::locate {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::ElementsAre;

// Cell 0 computes `a` and `b`, cell 1 the output `y`.
class ReadAnswers : public testing::Test {
 protected:
  ReadAnswers() {
    plan_.functions = compare::find_compare_functions({"simple"}).value();
    skeleton_.cell_of = {{"a", 0}, {"b", 0}, {"y", 1}};
    skeleton_.outputs = {"y"};
  }

  void answer(const std::string& name, float first, float second) {
    answers_.first.set(name, Tensor::of<float>(ElementType::float32, {1}, {first}));
    answers_.second.set(name, Tensor::of<float>(ElementType::float32, {1}, {second}));
  }

  Skeleton skeleton_;
  compare::ComparePlan plan_;
  Answers answers_;
  SeenByName seen_;
};

TEST_F(ReadAnswers, ACellDiffersAsMuchAsItsWorstResult) {
  answer("y", 1, 1);
  answer("b", 1, 1);
  answer("a", 1, 2);
  answer("unknown", 1, 2);  // of no cell
  const std::vector<Reading> readings = AnswerReader(skeleton_, plan_, false).read(answers_, seen_);
  ASSERT_EQ(readings.size(), 2);
  EXPECT_EQ(readings[0].cell, 0);
  EXPECT_TRUE(readings[0].differs);
  EXPECT_DOUBLE_EQ(readings[0].size, 0.5);
  EXPECT_EQ(readings[1].cell, 1);
  EXPECT_FALSE(readings[1].differs);
  EXPECT_EQ(seen_.size(), 3);
  EXPECT_TRUE(seen_.at("a").divergence.differs);
  EXPECT_EQ(seen_.at("a").description, answers_.first.find("a")->describe());
}

// A mask of float32 is the largest value of float16 in the float16 model.
TEST_F(ReadAnswers, OnlyInnerTensorsAreLimitedToFloat16) {
  answer("a", -65504, -3e38F);
  answer("y", -65504, -3e38F);
  const auto which_differ = [&](bool limits_inner) {
    std::vector<bool> differ;
    for (const Reading& reading : AnswerReader(skeleton_, plan_, limits_inner).read(answers_, seen_)) {
      differ.push_back(reading.differs);
    }
    return differ;
  };
  EXPECT_THAT(which_differ(true), ElementsAre(false, true));
  EXPECT_THAT(which_differ(false), ElementsAre(true, true));
}

TEST_F(ReadAnswers, TheWatcherSeesTheValuesOfBothSides) {
  answer("a", 1, 2);
  std::vector<std::string> watched;
  const WatchValues watch = [&](const SeenValues& values) {
    watched.push_back(std::string(values.name) + ": " + values.first.describe());
  };
  AnswerReader(skeleton_, plan_, false).read(answers_, seen_, watch);
  EXPECT_THAT(watched, ElementsAre("a: " + answers_.first.find("a")->describe()));
}

}  // namespace
}  // namespace assay::locate
