#include "reduce/explore/further_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "edit/test_models.h"
#include "reduce/explore/explorer_test_support.h"
#include "reduce/judge/test_judges.h"

namespace assay::reduce {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;

TEST(FurtherRuns, HearsEachRunOfACandidateThatIsKnown) {
  int runs = 0;
  test::FunctionJudges judges(2, [&](const model::Model&) {
    return Verdict{.kind = runs++ % 2 == 0 ? Verdict::Kind::fails : Verdict::Kind::passes, .text = {}};
  });
  Explorer explorer(test::bare_explorer_parts(judges), {}, {.until_nodes = 5, .max_checks = 1});
  const auto model = std::make_shared<const model::Model>(edit::test::chain(1));
  const Build build = [](const Draft& draft) -> base::Expected<SharedModel> { return std::get<SharedModel>(draft); };
  FurtherRuns search(model, 0, 4);
  const auto limit = explorer.run(search, build);
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(*limit, LimitReached::none);  // limits don't apply to further runs
  std::vector<Verdict::Kind> kinds;
  for (const Verdict& verdict : search.verdicts()) kinds.push_back(verdict.kind);
  EXPECT_THAT(kinds, testing::UnorderedElementsAre(Verdict::Kind::fails, Verdict::Kind::passes, Verdict::Kind::fails,
                                                   Verdict::Kind::passes));
  EXPECT_EQ(explorer.counts().checks, 4);
  EXPECT_EQ(explorer.counts().failing, 2);
  EXPECT_THAT(explorer.passes(), ElementsAre(AllOf(Field(&PassCounts::pass, "again"), Field(&PassCounts::checks, 4),
                                                   Field(&PassCounts::failing, 2))));
  EXPECT_EQ(explorer.best().model, nullptr);  // further runs don't change the best candidate
}

}  // namespace
}  // namespace assay::reduce
