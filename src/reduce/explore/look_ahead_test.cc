#include "reduce/explore/look_ahead.h"

#include <gtest/gtest.h>

#include "edit/test_models.h"
#include "reduce/explore/explorer_test_support.h"
#include "reduce/judge/test_judges.h"

namespace assay::reduce {
namespace {

SharedModel chain(int nodes) {
  return std::make_shared<const model::Model>(edit::test::chain(nodes));
}

// Proposes a model, then one that can't be built, then another model, unless the second one gets a verdict.
class Detour final : public Strategy {
 public:
  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<Detour>(*this); }
  std::optional<Proposal> next() override {
    if (step_ == models_.size()) return std::nullopt;
    return Proposal{.draft = models_[step_]};
  }
  void learn(const Verdict& verdict) override {
    const bool is_unexpected = step_ == 1 && verdict.kind != Verdict::Kind::unresolved;
    step_ = is_unexpected ? models_.size() : step_ + 1;
  }

 private:
  std::vector<SharedModel> models_ = {chain(3), chain(2), chain(1)};
  std::size_t step_ = 0;
};

TEST(LookAhead, GoesOnAfterADraftThatBuildsNothing) {
  test::TimedJudges judges(2, [](const model::Model&) { return Verdict{.kind = Verdict::Kind::passes, .text = {}}; });
  Explorer explorer(test::bare_explorer_parts(judges));
  const Build build = [](const Draft& draft) -> base::Expected<SharedModel> {
    SharedModel model = std::get<SharedModel>(draft);
    return model->graph().node_size() == 2 ? nullptr : model;
  };
  Detour search;
  ASSERT_TRUE(explorer.run(search, build).has_value());
  EXPECT_EQ(explorer.counts().checks, 2);
  EXPECT_EQ(judges.now, 1) << "both models are judged at the same time";
}

// Asks for a second model, or for a third one if the first one fails, which is unlikely.
class Fork final : public Strategy {
 public:
  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<Fork>(*this); }
  std::optional<Proposal> next() override {
    if (step_ == models_.size()) return std::nullopt;
    return Proposal{.draft = models_[step_], .chance_to_fail = 0.1};
  }
  void learn(const Verdict& verdict) override {
    if (step_ > 0) {
      step_ = models_.size();
    } else {
      step_ = verdict.kind == Verdict::Kind::fails ? 2 : 1;
    }
  }

 private:
  std::vector<SharedModel> models_ = {chain(3), chain(2), chain(1)};
  std::size_t step_ = 0;
};

TEST(LookAhead, CountsChecksThatNoSearchAskedForAlsoIfTheyEnded) {
  test::TimedJudges judges(2, [](const model::Model& model) {
    const bool fails = model.graph().node_size() == 3;
    return Verdict{.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes, .text = {}};
  });
  Explorer explorer(test::bare_explorer_parts(judges));
  Fork search;
  ASSERT_TRUE(explorer.run(search, build_model).has_value());
  EXPECT_EQ(explorer.counts().checks, 2);
  EXPECT_EQ(explorer.count_ahead(), 1) << "the model that would have been next if the first one had passed";
}

// Selects nodes of a chain of 20. Counts how often a candidate is built.
class LookAheadBuilds : public testing::Test {
 protected:
  void run(Strategy& search, const Outlook& outlook) {
    test::TimedJudges judges(2, [](const model::Model&) { return Verdict{.kind = Verdict::Kind::passes, .text = {}}; });
    Explorer explorer(test::bare_explorer_parts(judges));
    const Build build = [&](const Draft& draft) -> base::Expected<SharedModel> {
      ++builds_;
      return chain(static_cast<int>(std::get<std::shared_ptr<const edit::Selection>>(draft)->nodes.size()));
    };
    ASSERT_TRUE(explorer.run(search, build, outlook).has_value());
  }

  const model::Model model_ = edit::test::chain(20);
  const edit::Subject subject_{model_};
  const Draft whole_ = std::make_shared<const edit::Selection>(edit::whole(subject_));
  int builds_ = 0;
};

TEST_F(LookAheadBuilds, TheProposedCandidateOnce) {
  test::InTurn search({whole_});
  run(search, {});
  EXPECT_EQ(builds_, 1);
}

TEST_F(LookAheadBuilds, NoCandidateOfTheScoutsThatGetsNoSlot) {
  test::InTurn search({whole_});
  Scouts scouts(Nodes(subject_.nodes().begin(), subject_.nodes().end()), 10);
  run(search, {.scouting = {.scouts = &scouts, .subject = &subject_}});
  EXPECT_EQ(builds_, 2) << "there are two slots";
}

}  // namespace
}  // namespace assay::reduce
