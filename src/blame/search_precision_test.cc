#include "blame/search_precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    return search_precision(subject_, judge, {{}, {}, "float32"}, &*iterations, log_, stop_, found_);
  }

  ThreeNodes subject_;
  base::TempDir folder_ = base::TempDir::create().value();
  base::SilentLog log_;
  base::Stop stop_;
  PrecisionFindings found_;
};

TEST_F(SearchPrecision, JudgesNumbersAndFindsPositions) {
  const base::Status status = search([](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
    return reduce::Verdict{.kind = keep.contains(5) ? reduce::Verdict::Kind::passes : reduce::Verdict::Kind::fails,
                           .text = ""};
  });
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_TRUE(found_.passes);
  EXPECT_THAT(found_.kept, ElementsAre(1));
  EXPECT_THAT(numbers_at(subject_, found_.kept), ElementsAre(5));
  const std::map<std::string, double> largest = {{"y", 1e6}, {"x", 1e6}};
  const std::string text = to_text(found_, subject_, {{}, largest, "float32"});
  EXPECT_THAT(text, HasSubstr("1 of 3 nodes has to stay in float32"));
  EXPECT_THAT(text, testing::EndsWith(":\n    node b: values up to 1e+06"));
}

// Not all of the nodes that they keep need float32.
TEST_F(SearchPrecision, TheOtherModesClaimNoMoreThanTheyFindOut) {
  found_ = {.passes = true, .kept = {0, 1}, .runs = 3};
  EXPECT_THAT(to_text(found_, subject_, {{.mode = PrecisionMode::bisect}, {}, "float32"}),
              testing::StartsWith("The model passes if the first 2 of 3 nodes stay in float32, found in 3 runs:\n"));
  EXPECT_THAT(to_text(found_, subject_, {{.mode = PrecisionMode::linear, .reverse = true}, {}, "float32"}),
              testing::StartsWith("The model passes if the last 2 of 3 nodes stay in float32, found in 3 runs:\n"));
}

TEST_F(SearchPrecision, FormatsJson) {
  found_ = {.passes = true, .kept = {0, 1}, .runs = 3};
  const std::map<std::string, double> largest = {{"y", 1e6}};
  const PrecisionAnswer answer{.names = {"a", "b\xff"}, .model = {}, .options = {"--fp16"}, .stopped = true};
  EXPECT_EQ(nlohmann::json::parse(to_json(found_, subject_, {{}, largest, "float32"}, answer)),
            nlohmann::json::parse(R"({
    "precision": "float32", "unit": "node", "candidates": 3, "runs": 3, "stopped": true, "model": null,
    "nodes": [{"name": "a", "op_type": "Add", "description": "node a", "largest": null},
              {"name": "b", "op_type": "Exp", "description": "node b", "largest": 1e6}],
    "names": ["a", "b\ufffd"], "options": ["--fp16"]})"));
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
  const PrecisionFindings first = found_;
  EXPECT_THAT(numbers_at(subject_, first.kept), ElementsAre(8));
  EXPECT_EQ(runs, first.runs);
  ASSERT_TRUE(search(judge, folder_.path() / "replay.json"));
  EXPECT_EQ(found_.kept, first.kept);
  EXPECT_EQ(found_.runs, first.runs);
  EXPECT_EQ(runs, first.runs);
}

TEST_F(SearchPrecision, StopsWhenAsked) {
  stop_.request();
  const base::Status status =
      search([](const std::set<int>&) -> base::Expected<reduce::Verdict> { return reduce::Verdict{}; });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::interrupted);
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
