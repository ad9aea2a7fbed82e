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
  TrialCounts counts;
  Explorer explorer(test::bare_explorer_parts(judges, counts));
  const Build build = [](const Draft& draft) -> base::Expected<SharedModel> {
    SharedModel model = std::get<SharedModel>(draft);
    return model->graph().node_size() == 2 ? nullptr : model;
  };
  Detour search;
  ASSERT_TRUE(explorer.run(search, build).has_value());
  EXPECT_EQ(counts.checks, 2);
  EXPECT_EQ(judges.now, 1) << "both models are judged at the same time";
}

}  // namespace
}  // namespace assay::reduce
