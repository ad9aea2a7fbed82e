#include "reduce/explore/known_candidates.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "edit/test_models.h"

namespace assay::reduce {
namespace {

using Kind = Verdict::Kind;

Verdict verdict(Kind kind, std::string text = "exit status 1") {
  return {.kind = kind, .text = std::move(text)};
}

class KnownCandidatesTest : public testing::Test {
 protected:
  // Concludes the verdict on a candidate that is checked at most once.
  Kind conclude(KnownCandidates& known, const std::string& hash, Kind checked) {
    return known.conclude(hash, model_, {}, [&] { return ++checks_, base::Expected<Verdict>(verdict(checked)); })->kind;
  }

  // Makes "exit status 1" the failure that is searched.
  void fail_whole() {
    Verdict whole = verdict(Kind::fails);
    filter_.classify(whole, model_);
  }

  int checks_ = 0;
  base::SilentLog log_;
  FailureFilter filter_{SameFailure::same_class, log_};
  const SharedModel model_ = std::make_shared<const model::Model>(edit::test::chain(1));
};

TEST_F(KnownCandidatesTest, CombineRunsByTheRule) {
  KnownCandidates known(nullptr, nullptr, nullptr, {.repeat = 3});
  EXPECT_EQ(known.missing_runs("h").size(), 3U);
  ASSERT_TRUE(known.record({.hash = "h", .number = 1}, verdict(Kind::fails)));
  EXPECT_FALSE(known.find("h")) << "the first run decides whether the others are needed";
  EXPECT_EQ(known.missing_runs("h").size(), 2U);
  ASSERT_TRUE(known.record({.hash = "h", .number = 0}, verdict(Kind::passes)));
  EXPECT_EQ(known.find("h")->kind, Kind::fails);
  EXPECT_EQ(known.missing_runs("h", 1).size(), 0U);
}

TEST_F(KnownCandidatesTest, KeepFurtherRunsApart) {
  KnownCandidates known(nullptr, nullptr, nullptr, {});
  ASSERT_TRUE(known.record({.hash = "h", .further = 7}, verdict(Kind::fails)));
  EXPECT_FALSE(known.find("h"));
  EXPECT_FALSE(known.find_further("h", 6));
  EXPECT_EQ(known.find_further("h", 7)->kind, Kind::fails);
}

TEST_F(KnownCandidatesTest, ConcludeFromRunsBeforeTheCheck) {
  fail_whole();
  KnownCandidates known(nullptr, nullptr, &filter_, {});
  ASSERT_TRUE(known.record({.hash = "h"}, verdict(Kind::fails, "exit status 3")));
  EXPECT_EQ(known.final("h"), nullptr);
  EXPECT_EQ(conclude(known, "h", Kind::passes), Kind::unresolved) << "the verdict is classified";
  EXPECT_EQ(checks_, 0);
  EXPECT_EQ(known.final("h")->kind, Kind::unresolved);
  conclude(known, "other", Kind::passes);
  EXPECT_EQ(checks_, 1);
}

TEST_F(KnownCandidatesTest, AreUnresolvedForLookingAheadIfTheyFailDifferently) {
  KnownCandidates known(nullptr, nullptr, &filter_, {});
  ASSERT_TRUE(known.record({.hash = "h"}, verdict(Kind::fails, "exit status 3")));
  EXPECT_EQ(known.find("h")->kind, Kind::fails) << "no other failure is known yet";
  fail_whole();
  EXPECT_EQ(known.find("h")->kind, Kind::unresolved);
  EXPECT_EQ(known.answer("h", {})->kind, Kind::unresolved);
  EXPECT_EQ(known.unclassified("h", {})->kind, Kind::fails);
  EXPECT_TRUE(filter_.others().empty()) << "no search has asked for the candidate";
  conclude(known, "h", Kind::passes);
  EXPECT_EQ(filter_.others().size(), 1U);
}

TEST_F(KnownCandidatesTest, AskAgainForWhatPassedUnderAnotherRule) {
  KnownCandidates known(nullptr, nullptr, nullptr, {});
  EXPECT_TRUE(known.ask("passes"));
  EXPECT_TRUE(known.ask("fails"));
  ASSERT_TRUE(known.record({.hash = "passes"}, verdict(Kind::passes)));
  ASSERT_TRUE(known.record({.hash = "fails"}, verdict(Kind::fails)));
  conclude(known, "passes", Kind::passes);
  conclude(known, "fails", Kind::fails);
  EXPECT_FALSE(known.ask("passes"));
  known.set_rule({.repeat = 2});
  EXPECT_FALSE(known.find("passes"));
  EXPECT_TRUE(known.ask("passes"));
  EXPECT_EQ(known.missing_runs("passes"), (std::vector<CandidateRun>{{.hash = "passes", .number = 1}}));
  EXPECT_EQ(known.find("fails")->kind, Kind::fails);
  EXPECT_FALSE(known.ask("fails"));
}

TEST_F(KnownCandidatesTest, NumberFurtherRunsWhetherOrNotTheyAreKnown) {
  base::SilentLog log;
  const base::TempDir folder = base::TempDir::create().value();
  IterationSetup setup;
  setup.info = folder.path() / "info.json";
  setup.save_replay = folder.path() / "replay.json";
  Iterations iterations = Iterations::make(setup, std::chrono::system_clock::time_point{}, log).value();
  KnownCandidates known(nullptr, &iterations, nullptr, {});
  ASSERT_TRUE(known.record({.hash = "h", .further = 0}, verdict(Kind::fails)));
  std::string info;
  for (const int number : {0, 1}) {
    const auto run = known.run_further("h", model_, number, [&]() -> base::Expected<Verdict> {
      info += base::read_file(*setup.info).value_or("none, ");
      return verdict(Kind::fails);
    });
    EXPECT_EQ(run.value().kind, Kind::fails);
  }
  EXPECT_EQ(info, "none, {\n    \"iteration\": 1\n}");
}

TEST_F(KnownCandidatesTest, CountFurtherRunsIfAskedTo) {
  KnownCandidates known(nullptr, nullptr, nullptr, {});
  ASSERT_TRUE(known.record({.hash = "h"}, verdict(Kind::passes)));
  conclude(known, "h", Kind::passes);
  ASSERT_TRUE(known.record({.hash = "h", .further = 7}, verdict(Kind::passes)));
  ASSERT_TRUE(known.record({.hash = "h", .further = 8}, verdict(Kind::fails)));
  ASSERT_TRUE(known.record({.hash = "h", .further = 9}, verdict(Kind::passes)));
  known.count_further("h", 7, 1);
  known.set_rule({.repeat = 4});
  EXPECT_FALSE(known.find("h"));
  EXPECT_EQ(known.missing_runs("h").size(), 2U);
  known.count_further("h", 8, 1);
  EXPECT_EQ(known.find("h")->kind, Kind::fails);
}

TEST_F(KnownCandidatesTest, HaveNoCandidateWithoutANode) {
  KnownCandidates known(nullptr, nullptr, nullptr, {});
  EXPECT_EQ(known.find(kNoCandidate)->kind, Kind::unresolved);
}

TEST_F(KnownCandidatesTest, StayWithdrawnUnderAnotherRule) {
  KnownCandidates known(nullptr, nullptr, nullptr, {});
  ASSERT_TRUE(known.record({.hash = "h"}, verdict(Kind::fails)));
  EXPECT_EQ(conclude(known, "h", Kind::fails), Kind::fails);
  known.withdraw("h");
  EXPECT_EQ(known.find("h")->kind, Kind::unresolved);
  known.set_rule({.repeat = 4});
  ASSERT_TRUE(known.find("h"));
  EXPECT_EQ(known.find("h")->kind, Kind::unresolved) << "with this rule, the failing run alone would make it fail";
}

}  // namespace
}  // namespace assay::reduce
