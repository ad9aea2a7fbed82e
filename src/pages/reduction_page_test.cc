// Fills the page from real reductions with judges in memory.
#include "pages/reduction_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/load.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"

namespace assay::pages {
namespace {

using reduce::Verdict;
using report::Mark;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr auto kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) {
    [n0] a = Neg(x) [n1] b = Abs(a) [n2] c = Exp(b) [n3] d = Neg(c) [n4] y = Abs(d)
  })";

// Fails as long as the model has all of these nodes.
reduce::test::FunctionJudges fails_with(reduce::test::Names nodes) {
  return {1, [nodes = std::move(nodes)](const model::Model& model) -> Verdict {
            const bool fails = reduce::test::holds(model, nodes);
            return {.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes,
                    .text = fails ? "exit status 1" : "exit status 0"};
          }};
}

struct Reduced {
  reduce::Reduction reduction;
  ReductionHistory history;
};
Reduced reduce_chain(const reduce::test::Names& needed, const reduce::ReduceOptions& options = {},
                     const char* model = kChain) {
  reduce::test::FunctionJudges judges = fails_with(needed);
  Reduced result;
  reduce::ReduceParts parts = reduce::test::bare_parts(judges);
  parts.reference = [](const auto&, const auto&) { return std::make_unique<reduce::test::FixedReference>(); };
  parts.explore.show_progress = [&](const reduce::Progress& progress) { result.history.add(progress); };
  auto reduction = reduce::test::reduce(model::parse_text(model).value(), options, parts);
  EXPECT_TRUE(reduction) << reduction.error().message();
  if (reduction) result.reduction = *std::move(reduction);
  return result;
}

TEST(ReductionPage, ShowsTheNodesOfBodiesInTheMinimalCase) {
  const Reduced reduced =
      reduce_chain({"branch"}, {.mode = reduce::Mode::linear}, R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[2] x) => (float[2] y) {
      [before] s = Sin(x)
      [branch] y = If(c) <then_branch = t () => (float[2] p) { [inner] p = Tan(s) },
                          else_branch = e () => (float[2] q) { [other] q = Cos(s) }>
    })");
  const report::Page page = reduction_page(
      {.reduction = reduced.reduction, .history = reduced.history, .file = "small.onnx", .commands = {}});
  ASSERT_TRUE(page.minimal_case);
  EXPECT_THAT(page.minimal_case->model_text, HasSubstr("# branch\n    p = Tan(s)  # inner\n    q = Cos(s)  # other\n"));
}

TEST(ReductionPage, ShowsTheHistoryAndTheMinimalCase) {
  const Reduced reduced = reduce_chain({"n1", "n3"});
  const report::Page page = reduction_page({.reduction = reduced.reduction,
                                            .history = reduced.history,
                                            .file = "small.onnx",
                                            .commands = {"check small.onnx"}});
  EXPECT_EQ(page.mark, Mark::bad);
  EXPECT_EQ(page.verdict, "2 of 5 nodes show the failure (exit status 1).");
  // Each check is counted in its pass. The history has those that judged a candidate: not the three further runs of the
  // result, nor those of the two candidates without one of its nodes.
  int checks = 0;
  for (const reduce::PassCounts& pass : reduced.reduction.passes) checks += pass.checks;
  EXPECT_EQ(checks, reduced.reduction.counts.checks);
  EXPECT_THAT(reduced.reduction.confirmation, SizeIs(3));
  EXPECT_THAT(page.checks, SizeIs(checks - 5));
  EXPECT_EQ(page.checks.front().nodes, 5);
  EXPECT_TRUE(page.checks.front().failed);
  EXPECT_THAT(page.checks, Contains(testing::Field(&report::PageCheck::failed, false)));
  ASSERT_TRUE(page.minimal_case);
  EXPECT_EQ(page.minimal_case->file, "small.onnx");
  EXPECT_THAT(page.minimal_case->model_text, HasSubstr("= Abs("));
  EXPECT_THAT(page.minimal_case->model_text, HasSubstr("# n3\n"));
  EXPECT_THAT(page.minimal_case->commands, SizeIs(1));
  // Without either node, the failure disappears.
  ASSERT_THAT(page.minimal_case->tables, SizeIs(1));
  EXPECT_THAT(page.minimal_case->tables[0].rows, Not(IsEmpty()));
  for (const auto& row : page.minimal_case->tables[0].rows) EXPECT_THAT(row.at(1), HasSubstr("exit status 0"));
  EXPECT_THAT(page.graph.nodes, SizeIs(2));
  EXPECT_EQ(page.graph.file, "small.onnx");
  EXPECT_EQ(page.steps.at(0).question, "Does the model fail?");
  EXPECT_THAT(page.steps.at(1).tables, SizeIs(1));
  EXPECT_EQ(page.steps.at(2).mark, Mark::good);
  EXPECT_THAT(page.steps.at(2).answer, HasSubstr("No node can be removed: each was tried alone"));
}

TEST(ReductionPage, ClaimsNoMoreThanWasTried) {
  reduce::ReduceOptions options;
  options.limits.max_checks = 2;
  const Reduced reduced = reduce_chain({"n1"}, options);
  const report::Page page = reduction_page({.reduction = reduced.reduction, .history = reduced.history});
  EXPECT_EQ(page.steps.at(2).mark, Mark::unknown);
  EXPECT_THAT(page.steps.at(2).answer, HasSubstr("--max-checks"));
  EXPECT_EQ(page.mark, Mark::bad);
}

TEST(ReductionPage, ClaimsNothingAboutTheNodesOfAModelWithoutNodes) {
  const Reduced reduced =
      reduce_chain({}, {}, "<ir_version: 8, opset_import: [\"\" : 17]> g () => (float[1] w) <float[1] w = {1}> {}");
  const report::Page page = reduction_page({.reduction = reduced.reduction, .history = reduced.history});
  EXPECT_EQ(reduced.reduction.nodes_after, 0);
  EXPECT_THAT(page.steps.at(2).answer, HasSubstr("There is no node to remove"));
}

TEST(ReductionPage, ShowsTheErrorThatTheCheckReported) {
  Reduced reduced = reduce_chain({"n1"});
  std::string& output = reduced.reduction.verdict.output;
  for (int i = 0; i < 100; ++i) output += fmt::format("loading {}\n", i);
  output += "[E] NOT_IMPLEMENTED : Could not find an implementation for Max(13)\nbye\n";
  reduced.reduction.failure = reduce::signature_of(reduced.reduction.verdict);
  const report::Page page = reduction_page({.reduction = reduced.reduction, .history = reduced.history});
  EXPECT_EQ(page.verdict, "1 of 5 nodes shows the failure (exit status 1 with NOT_IMPLEMENTED).");
  EXPECT_THAT(page.steps.at(0).answer, HasSubstr("[E] NOT_IMPLEMENTED : Could not find"));
  ASSERT_THAT(page.steps.at(0).tables, SizeIs(1));
  EXPECT_THAT(page.steps.at(0).tables[0].rows, SizeIs(40));
  EXPECT_THAT(page.steps.at(0).tables[0].rows.back(), testing::ElementsAre("bye"));
}

TEST(ReductionPage, SaysThatTheUserStoppedIt) {
  const Reduced reduced = reduce_chain({"n1"});
  const report::Page page =
      reduction_page({.reduction = reduced.reduction, .history = reduced.history, .stopped = true});
  EXPECT_EQ(page.mark, Mark::unknown);
  EXPECT_EQ(page.verdict, "Stopped early: the smallest failing model so far has 1 of 5 nodes (exit status 1).");
}

}  // namespace
}  // namespace assay::pages
