// testdata of compare: written by Polygraphy 0.53.6, see accuracy_results_test.cc there.
#include "pages/accuracy_page.h"

#include <gmock/gmock.h>

#include "compare/judge_accuracy.h"
#include "tests/support/paths.h"

namespace assay::pages {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

report::Page page_of(const compare::ComparePlan& plan) {
  const auto results =
      compare::load_accuracy_results(test::source_dir() / "src/compare/testdata/polygraphy_accuracy.json");
  base::SilentLog log;
  return accuracy_page(compare::judge_saved(*results, plan, log).value());
}

// Every verdict of the tables together gives the verdict of the command.
void expect_consistent(const report::Page& page) {
  bool agrees = true;
  for (const report::PageTable& table : page.tables) {
    for (const auto& row : table.rows) {
      EXPECT_THAT(row, SizeIs(table.columns.size()));
      agrees = agrees && row.at(2) == "agrees";
    }
  }
  EXPECT_EQ(page.mark, agrees ? report::Mark::good : report::Mark::bad);
}

TEST(AccuracyPage, HasATableForEachWayOfComparing) {
  const report::Page page =
      page_of({.functions = compare::find_compare_functions({"l2", "psnr"}).value(), .options = {}});
  EXPECT_THAT(page.tables, SizeIs(2));
  EXPECT_THAT(page.tables.at(0).title, HasSubstr("l2: "));
  EXPECT_THAT(page.tables.at(0).rows, testing::Not(testing::IsEmpty()));
  expect_consistent(page);
}

TEST(AccuracyPage, NamesTheStatisticAndLeavesOutEmptyColumns) {
  compare::ComparePlan plan{.functions = compare::find_compare_functions({"simple"}).value(), .options = {}};
  plan.options.set(compare::kErrorStat, static_cast<double>(compare::ErrorStat::max));
  plan.options.set(compare::kAbsoluteTolerance, 0.5);
  const report::PageTable table = page_of(plan).tables.at(0);
  EXPECT_THAT(table.columns, ElementsAre("Output", "Iteration", "Verdict", "max_absdiff", "max_reldiff", "mean_absdiff",
                                         "mean_reldiff", "median_absdiff", "median_reldiff", "--check-error-stat",
                                         "--atol", "--rtol"));
  for (const auto& row : table.rows) {
    EXPECT_EQ(row.at(9), "max");
    EXPECT_EQ(row.at(10), "0.5");
  }
}

TEST(AccuracyPage, LeavesOutWhatTheCommandCannotJudge) {
  const report::Page page =
      page_of({.functions = compare::find_compare_functions({"simple", "psnr"}).value(), .options = {}});
  ASSERT_THAT(page.tables, SizeIs(1)) << "single elements aren't in the file";
  EXPECT_THAT(page.tables.at(0).title, HasSubstr("psnr: "));
  expect_consistent(page);
}

TEST(AccuracyPage, ShowsEverythingAsItWasSaved) {
  const auto results =
      compare::load_accuracy_results(test::source_dir() / "src/compare/testdata/polygraphy_accuracy.json");
  const report::Page page = accuracy_page(compare::saved_judgements(*results));
  ASSERT_THAT(page.tables, SizeIs(5));
  const report::PageTable& simple = page.tables.at(0);
  EXPECT_THAT(simple.columns, ElementsAre("Output", "Iteration", "Verdict", "max_absdiff", "max_reldiff",
                                          "mean_absdiff", "mean_reldiff", "median_absdiff", "median_reldiff",
                                          "--check-error-stat", "--atol", "--rtol"));
  for (const auto& row : simple.rows) {
    EXPECT_EQ(row.at(9), "elemwise");
    EXPECT_EQ(row.at(11), row.at(0) == "y" ? "0.001" : "0.002");
  }
  expect_consistent(page);
}

TEST(AccuracyPage, CountsVerdictsForMeans) {
  compare::ComparePlan plan{
      .functions = compare::find_compare_functions({"psnr"}).value(), .options = {}, .average = true};
  auto results = compare::load_accuracy_results(test::source_dir() / "src/compare/testdata/polygraphy_accuracy.json");
  for (auto& iteration : results->functions[3].pairs[0].iterations) iteration.push_back({"text", {true}});
  base::SilentLog log;
  const report::Page page = accuracy_page(compare::judge_saved(*results, plan, log).value());
  EXPECT_EQ(page.tables.at(0).rows.back().at(0), "text");
  EXPECT_EQ(page.tables.at(0).rows.back().at(2), "agrees");
  expect_consistent(page);
}

TEST(AccuracyPage, JudgesMeansOverTheIterations) {
  compare::ComparePlan plan{
      .functions = compare::find_compare_functions({"l2"}).value(), .options = {}, .average = true};
  const report::Page page = page_of(plan);
  for (const auto& row : page.tables.at(0).rows) EXPECT_EQ(row.at(1), "mean");
  expect_consistent(page);
}

}  // namespace
}  // namespace assay::pages
