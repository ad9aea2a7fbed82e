#include "reduce/judge/failure_filter.h"

#include <gtest/gtest.h>

#include "base/test_log.h"
#include "edit/test_models.h"

namespace assay::reduce {
namespace {

using Kind = Verdict::Kind;

std::shared_ptr<const model::Model> model_of(int nodes) {
  edit::test::GraphBuilder builder;
  builder.input("x");
  for (int i = 0; i < nodes; ++i) builder.node("Relu", {"x"}, {"t" + std::to_string(i)});
  return std::make_shared<const model::Model>(builder.build());
}

Verdict failing(std::string ending, std::string output) {
  return {.kind = Kind::fails, .text = std::move(ending), .output = std::move(output)};
}

TEST(FailureFilter, TakesTheFirstFailureForTheOneThatIsSearched) {
  base::SilentLog log;
  FailureFilter filter(SameFailure::same_class, log);
  Verdict first = failing("exit status 1", "error: NOT_IMPLEMENTED : no kernel for Max(13)");
  Verdict same = failing("exit status 1", "error: NOT_IMPLEMENTED : no kernel for Min(8)");
  filter.classify(first, model_of(5));
  filter.classify(same, model_of(4));
  EXPECT_EQ(first.kind, Kind::fails);
  EXPECT_EQ(same.kind, Kind::fails);
  EXPECT_TRUE(filter.others().empty());
}

TEST(FailureFilter, SaysWhetherAnotherFailureEndsInAnotherWay) {
  base::SilentLog log;
  FailureFilter filter(SameFailure::same_class, log);
  Verdict first = failing("exit status 1", "error: NOT_IMPLEMENTED : no kernel for Max(13)");
  Verdict error = failing("exit status 1", "error: INVALID_GRAPH : no such input");
  Verdict crash = failing("crashed with signal 11 (Segmentation fault)", "");
  for (Verdict* verdict : {&first, &error, &crash}) filter.classify(*verdict, model_of(5));
  EXPECT_EQ(error.cause, Verdict::Cause::other_error);
  EXPECT_EQ(crash.cause, Verdict::Cause::other_ending);
}

TEST(FailureFilter, SaysNothingOfAModelWithoutNodes) {
  base::test::TestLog log(base::Level::warning);
  FailureFilter filter(SameFailure::same_class, log);
  Verdict first = failing("exit status 1", "error: NOT_IMPLEMENTED : no kernel for Max(13)");
  Verdict empty = failing("exit status 1", "error: INVALID_GRAPH : no nodes");
  filter.classify(first, model_of(1));
  filter.classify(empty, model_of(0));
  EXPECT_EQ(empty.kind, Kind::unresolved);
  EXPECT_TRUE(filter.others().empty());
  EXPECT_TRUE(log.messages().empty());
}

TEST(FailureFilter, SaysThatTheResultFailsDifferentlyIfEveryFailureCounts) {
  base::SilentLog log;
  FailureFilter filter(SameFailure::any, log);
  Verdict first = failing("exit status 1", "error: NOT_IMPLEMENTED : no kernel for Max(13)");
  Verdict same = failing("exit status 1", "error: NOT_IMPLEMENTED : no kernel for Min(8)");
  Verdict other = failing("exit status 1", "error: INVALID_GRAPH : no such input");
  EXPECT_FALSE(filter.describe_drift(signature_of(other)).has_value());
  for (Verdict* verdict : {&first, &same, &other}) filter.classify(*verdict, model_of(5));
  EXPECT_EQ(other.kind, Kind::fails);
  EXPECT_FALSE(filter.describe_drift(signature_of(same)).has_value());
  EXPECT_EQ(
      filter.describe_drift(signature_of(other)).value_or(""),
      "The result may show another failure than the model. The first candidate that failed: exit status 1 with "
      "NOT_IMPLEMENTED: error: NOT_IMPLEMENTED : no kernel for Max(13). The result: exit status 1 with "
      "INVALID_GRAPH: error: INVALID_GRAPH : no such input. --same-failure class keeps to the failure of the whole "
      "model");
}

TEST(FailureFilter, WarnsOnceOfAPassThatLooksLikeAnError) {
  base::test::TestLog log(base::Level::warning);
  FailureFilter filter(SameFailure::same_class, log);
  Verdict first = failing("exit status 1", "error: the numbers differ");
  Verdict quiet{.kind = Kind::passes, .text = "exit status 0", .output = "all is well\nerror: the numbers differ"};
  Verdict unresolved{
      .kind = Kind::passes, .text = "exit status 0", .output = "UNRESOLVED: the engine refuses the model"};
  filter.classify(first, model_of(5));
  filter.classify(quiet, model_of(4));
  EXPECT_TRUE(log.messages().empty());
  filter.classify(unresolved, model_of(4));
  filter.classify(unresolved, model_of(3));
  EXPECT_EQ(unresolved.kind, Kind::passes);
  ASSERT_EQ(log.messages().size(), 1U);
  EXPECT_NE(log.messages().front().find("--unresolved-regex"), std::string::npos);
}

TEST(FailureFilter, QuotesBothMessagesIfTheNamesOfTheErrorsAreTheSame) {
  base::test::TestLog log(base::Level::warning);
  FailureFilter filter(SameFailure::same_class, log);
  Verdict first = failing("exit status 1", "RuntimeError: there is no kernel for Tan.");
  Verdict other = failing("exit status 1", "RuntimeError: graph too small");
  filter.classify(first, model_of(5));
  filter.classify(other, model_of(4));
  EXPECT_EQ(
      log.text(),
      "A candidate fails differently: exit status 1: RuntimeError: graph too small. The failure to be reduced is exit "
      "status 1: RuntimeError: there is no kernel for Tan. Such candidates are skipped.\n");
}

TEST(FailureFilter, SaysHowACheckWithInputsOfItsOwnCanJudgeCandidates) {
  base::test::TestLog log(base::Level::warning);
  FailureFilter filter(SameFailure::same_class, log);
  Verdict first = failing("exit status 1", "AssertionError: the scale is 0");
  filter.classify(first, model_of(5));
  edit::test::GraphBuilder cut;
  cut.input("x").input("t1").node("Relu", {"t1"}, {"t2"});
  const auto candidate = std::make_shared<const model::Model>(cut.build());
  Verdict known = failing("exit status 2", "TypeError: 'x' has a bad type");
  filter.classify(known, candidate);
  EXPECT_EQ(log.messages().size(), 1U);
  Verdict missing =
      failing("exit status 1", "ValueError: Required inputs (['t1']) are missing from input feed (['x']).");
  filter.classify(missing, candidate);
  ASSERT_EQ(log.messages().size(), 3U);
  EXPECT_NE(log.messages()[1].find("input feed (['x']). The failure"), std::string::npos) << log.messages()[1];
  EXPECT_NE(log.messages().back().find("'t1' is an input that this candidate has"), std::string::npos);
  EXPECT_NE(log.messages().back().find("(--load-inputs)"), std::string::npos);
}

// Masks of attention hold infinities, and `assay run` and Polygraphy don't count these as equal by default.
TEST(FailureFilter, TakesInfinityOnBothSidesForAPassIfNumbersDiffer) {
  base::test::TestLog log(base::Level::warning);
  const Verdict differs = failing("exit status 1",
                                  "[E] 1 of 2 elements differ (50%), most at (1,): 1 and 1.1, absolute 0.1\n"
                                  "[E] FAILED | simple | Outputs that differ: [\"y\"]");
  const Verdict specials = failing("exit status 1",
                                   "[E] 1 of 2 elements (50%) are infinity on both sides, which passes with "
                                   "--infinities-compare-equal\n"
                                   "[E] FAILED | simple | Outputs with NaN or infinity on both sides: [\"mask\"]");
  const auto kind_after = [&](const Verdict& first, Verdict second, SameFailure mode) {
    FailureFilter filter(mode, log);
    Verdict whole = first;
    filter.classify(whole, model_of(5));
    EXPECT_TRUE(filter.may_be_difference());
    filter.classify(second, model_of(4));
    return second.kind;
  };
  EXPECT_EQ(kind_after(differs, specials, SameFailure::same_class), Kind::passes);
  EXPECT_EQ(kind_after(differs, specials, SameFailure::strict), Kind::passes);
  EXPECT_EQ(kind_after(differs, specials, SameFailure::any), Kind::fails);
  EXPECT_EQ(log.messages().size(), 0U);
  EXPECT_EQ(kind_after(specials, specials, SameFailure::same_class), Kind::fails) << "the user wants to find this";
  EXPECT_EQ(kind_after(specials, differs, SameFailure::same_class), Kind::unresolved);
  Verdict both = differs;
  both.output += "\n" + specials.output;
  EXPECT_EQ(kind_after(differs, both, SameFailure::same_class), Kind::fails);
}

TEST(FailureFilter, CutsNoCharacterOfThePassThatLooksLikeAnError) {
  base::test::TestLog log(base::Level::warning);
  FailureFilter filter(SameFailure::same_class, log);
  Verdict first = failing("exit status 1", "error: the numbers differ");
  std::string line = "error: ";
  for (int i = 0; i < 400; ++i) line += "\u20ac";
  Verdict passing{.kind = Kind::passes, .text = "exit status 0", .output = line};
  filter.classify(first, model_of(5));
  filter.classify(passing, model_of(4));
  ASSERT_EQ(log.messages().size(), 1U);
  const std::string& message = log.messages().front();
  const std::size_t end = message.find(". If the check");
  EXPECT_EQ(message.substr(end - 6, 6), "\u20ac\u20ac");
  EXPECT_LT(message.size(), 1000U);
}

// Models of more than three nodes can be compared, and models of more than one node can run.
SavedOutputsLimits saved_outputs() {
  const auto unless_larger = [](int nodes, const std::string& reason) {
    return [=](const model::Model& model) {
      return model.graph().node_size() > nodes ? std::nullopt : std::optional(reason);
    };
  };
  return {.why_not_compare = unless_larger(3, "no output"), .why_not_run = unless_larger(1, "no input")};
}

TEST(FailureFilter, SavedOutputsDecideOnlyWhereTheyCanBeCompared) {
  base::SilentLog log;
  FailureFilter filter(SameFailure::same_class, log, saved_outputs());
  EXPECT_TRUE(filter.may_be_difference());
  const Verdict differs = failing("exit status 1", "error: outputs differ: MISMATCH");
  const Verdict passes{.kind = Kind::passes, .text = "exit status 0"};
  const auto judged = [&](Verdict verdict, int nodes) {
    filter.classify(verdict, model_of(nodes));
    return verdict;
  };
  EXPECT_EQ(judged(passes, 3).kind, Kind::unresolved) << "the failure may be a difference";
  EXPECT_EQ(judged(differs, 3).text, "the saved outputs can't judge it: no output");
  EXPECT_EQ(judged(differs, 4).kind, Kind::fails);
  EXPECT_TRUE(filter.may_be_difference());
  EXPECT_EQ(judged(passes, 4).kind, Kind::passes);
  EXPECT_EQ(judged(passes, 3).kind, Kind::unresolved);
}

TEST(FailureFilter, SavedOutputsDontMatterForAnotherFailureThanADifference) {
  base::SilentLog log;
  FailureFilter filter(SameFailure::same_class, log, saved_outputs());
  const auto judged = [&](Verdict verdict, int nodes) {
    filter.classify(verdict, model_of(nodes));
    return verdict.kind;
  };
  const Verdict crash = failing("crashed with signal 11", "");
  EXPECT_EQ(judged(crash, 5), Kind::fails);
  EXPECT_FALSE(filter.may_be_difference());
  EXPECT_EQ(judged(crash, 2), Kind::fails);
  EXPECT_EQ(judged(crash, 1), Kind::unresolved) << "the check can't run";
  EXPECT_EQ(judged({.kind = Kind::passes, .text = "exit status 0"}, 2), Kind::passes);
  EXPECT_EQ(judged(failing("exit status 1", "error: outputs differ: MISMATCH"), 2), Kind::passes);
  EXPECT_TRUE(filter.others().empty());

  FailureFilter any(SameFailure::any, log, saved_outputs());
  Verdict first = crash;
  any.classify(first, model_of(5));
  EXPECT_TRUE(any.may_be_difference()) << "a difference counts as well";
}

TEST(FailureFilter, WarnsOfNoMoreFailuresThanItKeeps) {
  base::test::TestLog log(base::Level::warning);
  FailureFilter filter(SameFailure::same_class, log);
  Verdict first = failing("exit status 1", "error: the numbers differ");
  filter.classify(first, model_of(5));
  for (int round = 0; round < 2; ++round) {
    for (int code = 2; code < 42; ++code) {
      Verdict other = failing("exit status " + std::to_string(code), "error: other");
      filter.classify(other, model_of(4));
      EXPECT_EQ(other.kind, Kind::unresolved);
    }
  }
  EXPECT_EQ(log.messages().size(), filter.others().size());
}

TEST(FailureFilter, KeepsTheSmallestModelOfEachOtherFailure) {
  base::SilentLog log;
  FailureFilter filter(SameFailure::same_class, log);
  Verdict first = failing("exit status 1", "error: NOT_IMPLEMENTED : no kernel for Max(13)");
  EXPECT_FALSE(filter.is_other(first)) << "there is no reference yet";
  filter.classify(first, model_of(5));
  EXPECT_EQ(filter.is_other(first), std::optional(false));
  for (const int nodes : {4, 2, 3}) {
    Verdict other = failing("exit status 1", "error: INVALID_GRAPH : input x is not there");
    EXPECT_EQ(filter.is_other(other), std::optional(true));
    filter.classify(other, model_of(nodes));
    EXPECT_EQ(other.kind, Kind::unresolved);
  }
  ASSERT_EQ(filter.others().size(), 1U);
  EXPECT_EQ(filter.others().front().nodes, 2);
  EXPECT_EQ(filter.others().front().times, 3);
}

TEST(FailureFilter, BelievesAReplayAndTakesTheFirstFailureOfACheckForReference) {
  base::SilentLog log;
  FailureFilter filter(SameFailure::same_class, log);
  Verdict replayed = failing("from the replay file", "");
  replayed.source = Verdict::Source::replay_file;
  filter.classify(replayed, model_of(5));
  EXPECT_EQ(replayed.kind, Kind::fails);
  Verdict first = failing("exit status 1", "error: NOT_IMPLEMENTED : no kernel for Max(13)");
  Verdict other = failing("exit status 3", "error: INVALID_GRAPH : input x is not there");
  filter.classify(first, model_of(4));
  filter.classify(other, model_of(3));
  EXPECT_EQ(first.kind, Kind::fails);
  EXPECT_EQ(other.kind, Kind::unresolved);
}

TEST(FailureFilter, TakesEveryFailureInModeAny) {
  base::SilentLog log;
  FailureFilter filter(SameFailure::any, log);
  Verdict first = failing("exit status 1", "error: NOT_IMPLEMENTED : no kernel");
  Verdict crash = failing("crashed with signal 11 (Segmentation fault)", "");
  filter.classify(first, model_of(2));
  filter.classify(crash, model_of(1));
  EXPECT_EQ(crash.kind, Kind::fails);
}

}  // namespace
}  // namespace assay::reduce
