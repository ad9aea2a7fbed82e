#include "diagnose/steps/blame_random.h"

#include <gtest/gtest.h>

#include "diagnose/conclusion.h"

namespace assay::diagnose {
namespace {

class BlameRandomTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"One", "Two"}) {
      task_.sides.push_back({.setup = {.runner = name, .engine = name, .spec = {}, .limits = {}}});
    }
    state_.facts.failure = Failure::differs;
    state_.facts.faulty_side = 0;
    state_.facts.good_side = 1;
    state_.facts.good_is_sure = false;
    state_.facts.setting.text = "it uses one thread";
  }

  model::Model model_;
  Case task_{.model = model_};
  State state_;
};

TEST_F(BlameRandomTest, TheEngineThatIsRandomIsNamed) {
  State other = state_;
  EXPECT_FALSE(blame_random(task_, false, other.facts));
  EXPECT_EQ(conclude(task_, other).sentence, "One is not deterministic: the same inputs lead to different outputs.");
  EXPECT_FALSE(blame_random(task_, true, state_.facts));
  EXPECT_EQ(conclude(task_, state_).sentence, "Two is not deterministic: the same inputs lead to different outputs.");
  EXPECT_EQ(state_.facts.good_side, 1);
}

TEST_F(BlameRandomTest, AnOpinionThatIsRandomIsNoneAtAll) {
  task_.sides[1].is_given = false;
  ASSERT_TRUE(blame_random(task_, true, state_.facts));
  const Conclusion conclusion = conclude(task_, state_);
  EXPECT_EQ(conclusion.outcome, Conclusion::Outcome::healthy);
  EXPECT_EQ(conclusion.sentence,
            "No bug found: the outputs differ only from those of Two, which ran only for comparison and isn't "
            "deterministic.");
}

TEST_F(BlameRandomTest, ADifferenceThatAnotherOpinionConfirmsStays) {
  task_.sides[1].is_given = false;
  state_.facts.good_is_sure = true;
  const auto answer = blame_random(task_, true, state_.facts);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->mark, report::Mark::unknown);
  EXPECT_EQ(conclude(task_, state_).sentence, "One computes wrong outputs unless it uses one thread.");
}

TEST_F(BlameRandomTest, TheSameEngineWithOtherSettingsIsTheOneAtFault) {
  state_.facts.good_side = kNoSide;
  state_.facts.setting.plain = {{"threads", "1"}};
  EXPECT_FALSE(blame_random(task_, true, state_.facts));
  EXPECT_EQ(state_.facts.failure, Failure::random);
  EXPECT_EQ(state_.facts.faulty_side, 0);
}

}  // namespace
}  // namespace assay::diagnose
