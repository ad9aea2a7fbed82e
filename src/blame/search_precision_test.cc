#include "blame/search_precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/temp_dir.h"

namespace assay::blame {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Three nodes whose numbers aren't their positions.
class ThreeNodes final : public PrecisionSubject {
 public:
  std::optional<base::ErrorKind> write_fails;
  mutable std::vector<std::set<int>> written;

  [[nodiscard]] const std::vector<PrecisionCandidate>& candidates() const override { return nodes_; }
  [[nodiscard]] const char* unit() const override { return "node"; }
  [[nodiscard]] std::string describe(const PrecisionCandidate& node) const override { return "node " + node.name; }
  [[nodiscard]] std::vector<int> suspects(const std::map<std::string, double>&) const override { return {}; }
  [[nodiscard]] base::Expected<Reference> reference() const override { return Reference{}; }
  [[nodiscard]] base::Expected<Agreement> judge(const std::set<int>&, const OutputJudge&) const override {
    return Agreement{};
  }
  base::Status write(const std::set<int>& keep, const std::filesystem::path&) const override {
    written.push_back(keep);
    if (write_fails) return base::fail(*write_fails, "cannot write");
    return {};
  }

 private:
  std::vector<PrecisionCandidate> nodes_ = {{.number = 3, .op_type = "Add", .name = "a", .tensors = {"x"}},
                                            {.number = 5, .op_type = "Exp", .name = "b", .tensors = {"y"}},
                                            {.number = 8, .op_type = "Mul", .name = "c", .tensors = {"z"}}};
};

class SearchPrecision : public testing::Test {
 protected:
  base::Status search(const PrecisionJudge& judge, std::optional<std::filesystem::path> load_replay = {}) {
    auto iterations = reduce::Iterations::make({.info = {},
                                                .artifacts = {},
                                                .artifact_folder = folder_.path() / "artifacts",
                                                .load_replay = std::move(load_replay),
                                                .save_replay = folder_.path() / "replay.json"},
                                               std::chrono::system_clock::now(), log_);
    if (!iterations) return base::fail(iterations.error());
    auto choice = search_precision(subject_, judge, search_, &*iterations, log_, stop_);
    if (!choice) return base::fail(choice.error());
    choice_ = *std::move(choice);
    return choice_.status;
  }

  ThreeNodes subject_;
  base::TempDir folder_ = base::TempDir::create().value();
  base::SilentLog log_;
  base::Stop stop_;
  PrecisionSearch search_;
  PrecisionChoice choice_;
};

TEST_F(SearchPrecision, JudgesNumbersAndFindsPositions) {
  const base::Status status = search([](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
    return reduce::Verdict{.kind = keep.contains(5) ? reduce::Verdict::Kind::passes : reduce::Verdict::Kind::fails,
                           .text = ""};
  });
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_TRUE(choice_.found.passes);
  EXPECT_THAT(choice_.found.kept, ElementsAre(1));
  EXPECT_THAT(choice_.keep, ElementsAre(5));
  search_.largest = {{"y", 1e6}, {"x", 1e6}};
  const std::string text = to_text(choice_, subject_, search_);
  EXPECT_THAT(text, HasSubstr("1 of 3 nodes has to stay in float32"));
  EXPECT_THAT(text, testing::EndsWith(":\n    node b: values up to 1e+06"));
}

// Not all of the nodes that they keep need float32.
TEST_F(SearchPrecision, TheOtherModesClaimNoMoreThanTheyFindOut) {
  choice_.found = {.passes = true, .kept = {0, 1}, .runs = 3};
  search_.options = {.mode = PrecisionMode::bisect};
  EXPECT_THAT(to_text(choice_, subject_, search_),
              testing::StartsWith("The model passes if the first 2 of 3 nodes stay in float32, found in 3 runs:\n"));
  search_.options = {.mode = PrecisionMode::linear, .reverse = true};
  EXPECT_THAT(to_text(choice_, subject_, search_),
              testing::StartsWith("The model passes if the last 2 of 3 nodes stay in float32, found in 3 runs:\n"));
}

TEST_F(SearchPrecision, FormatsJson) {
  choice_.found = {.passes = true, .kept = {0, 1}, .runs = 3};
  choice_.status = base::fail(base::ErrorKind::interrupted, "stopped");
  search_.largest = {{"x", std::numeric_limits<double>::infinity()}, {"y", 1e6}};
  const PrecisionAnswer answer{.names = {"a", "b\xff"}, .model = {}, .options = {"--fp16"}};
  EXPECT_EQ(nlohmann::json::parse(to_json(choice_, subject_, search_, answer)), nlohmann::json::parse(R"({
    "precision": "float32", "unit": "node", "candidates": 3, "runs": 3, "stopped": true, "model": null,
    "nodes": [{"name": "a", "op_type": "Add", "description": "node a", "largest": "inf"},
              {"name": "b", "op_type": "Exp", "description": "node b", "largest": 1e6}],
    "names": ["a", "b\ufffd"], "options": ["--fp16"]})"));
  search_.largest = {};
  EXPECT_TRUE(nlohmann::json::parse(to_json(choice_, subject_, search_, answer))["nodes"][0]["largest"].is_null());
}

// The ranking by errors is repeated from the replay, too.
TEST_F(SearchPrecision, AReplayAnswersEveryRun) {
  int runs = 0;
  const PrecisionJudge judge = [&](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
    ++runs;
    const double error = keep.contains(8) ? 0.125 : 0.75;
    return reduce::Verdict{.kind = error < 0.5 ? reduce::Verdict::Kind::passes : reduce::Verdict::Kind::fails,
                           .text = "",
                           .output_error = error};
  };
  ASSERT_TRUE(search(judge));
  const PrecisionFindings first = choice_.found;
  EXPECT_THAT(choice_.keep, ElementsAre(8));
  EXPECT_EQ(runs, first.runs);
  ASSERT_TRUE(search(judge, folder_.path() / "replay.json"));
  EXPECT_EQ(choice_.found.kept, first.kept);
  EXPECT_EQ(choice_.found.runs, first.runs);
  EXPECT_EQ(runs, first.runs);
}

TEST_F(SearchPrecision, StopsWhenAsked) {
  stop_.request();
  const base::Status status =
      search([](const std::set<int>&) -> base::Expected<reduce::Verdict> { return reduce::Verdict{}; });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::interrupted);
}

// With all nodes kept, the model is the one that was given: that is no answer.
TEST_F(SearchPrecision, AStoppedSearchHasAnAnswerOnceANodeCouldBeLeftOut) {
  int without_answer = 0, with_answer = 0;
  base::Status status;
  for (int allowed = 0; !status || allowed == 0; ++allowed) {
    int runs = 0;
    choice_ = {};
    status = search([&](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
      if (runs++ == allowed) return base::fail(base::ErrorKind::interrupted, "stopped");
      const bool passes = keep.contains(5) && keep.contains(8);
      return reduce::Verdict{.kind = passes ? reduce::Verdict::Kind::passes : reduce::Verdict::Kind::fails, .text = ""};
    });
    if (status) continue;
    EXPECT_EQ(status.error().kind, base::ErrorKind::interrupted);
    if (choice_.keep.empty()) {
      ++without_answer;
      EXPECT_EQ(with_answer, 0);
    } else {
      ++with_answer;
      EXPECT_THAT(choice_.keep, ElementsAre(5, 8));
      EXPECT_EQ(to_text(choice_, subject_, search_),
                "The best so far: 2 of 3 nodes stay in float32. Perhaps fewer are enough");
    }
  }
  EXPECT_GE(without_answer, 2) << "neither float16 nor all nodes in float32 are an answer";
  EXPECT_GE(with_answer, 1);
  EXPECT_THAT(choice_.keep, ElementsAre(5, 8));
}

TEST_F(SearchPrecision, AModelThatFailsEvenInFloat32IsAnError) {
  search_.model = "a.onnx";
  const PrecisionJudge fails = [](const std::set<int>&) -> base::Expected<reduce::Verdict> {
    return reduce::Verdict{.kind = reduce::Verdict::Kind::fails, .text = ""};
  };
  EXPECT_THAT(search(fails).error().message(), HasSubstr("even if all nodes stay in float32 (in a.onnx). Find out"));
  search_.quantized = "b.onnx";
  EXPECT_THAT(search(fails).error().message(), HasSubstr("Check that 'b.onnx' was made from this very model"));
}

TEST_F(SearchPrecision, AnEngineThatCannotBeBuiltFailsWithoutACheck) {
  int checks = 0;
  const PrecisionJudge judge = judge_by_file(subject_, "artifact", [&checks]() -> base::Expected<reduce::Verdict> {
    ++checks;
    return reduce::Verdict{};
  });
  subject_.write_fails = base::ErrorKind::engine;
  const auto verdict = judge({5});
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_EQ(verdict->kind, reduce::Verdict::Kind::fails);
  EXPECT_THAT(verdict->text, HasSubstr("cannot write"));
  subject_.write_fails = base::ErrorKind::io;
  EXPECT_FALSE(judge({5})) << "a full disk says nothing about the nodes";
  EXPECT_EQ(checks, 0);
  subject_.write_fails.reset();
  EXPECT_TRUE(judge({3, 5}));
  EXPECT_EQ(checks, 1);
  EXPECT_THAT(subject_.written.back(), ElementsAre(3, 5));
}

}  // namespace
}  // namespace assay::blame
