#include "reduce/reduction_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::reduce {
namespace {

using testing::ElementsAre;

Reduction example() {
  Reduction reduction;
  reduction.verdict = {
      .kind = Verdict::Kind::fails, .text = "exit status 1", .output = "[E] NOT_IMPLEMENTED: no kernel \xff\n"};
  reduction.failure = signature_of(reduction.verdict);
  reduction.nodes_before = 10;
  reduction.nodes_after = 1;
  reduction.passes = {{.pass = "hints", .checks = 4, .failing = 3, .nodes_removed = 9}};
  reduction.confirmation = {reduction.verdict, {.kind = Verdict::Kind::passes, .text = ""}, reduction.verdict};
  reduction.counts = {.checks = 7, .failing = 5, .replayed = 2};
  return reduction;
}

nlohmann::json parsed(const Reduction& reduction, const std::vector<OtherFailure>& others = {},
                      const ReductionFiles& files = {}) {
  return nlohmann::json::parse(to_json(reduction, others, {"Tan 'd' (node #0)"}, files));
}

TEST(ReductionJson, HasTheResultItsFailureAndTheCounts) {
  const auto json = parsed(example(), {}, {.model = "r.onnx"});
  EXPECT_EQ(json["end"], "minimal");
  EXPECT_EQ(json["is_minimal"], true);
  EXPECT_EQ(json["nodes_before"], 10);
  EXPECT_EQ(json["nodes_after"], 1);
  EXPECT_THAT(json["nodes"], ElementsAre("Tan 'd' (node #0)"));
  EXPECT_EQ(json["failure"], "exit status 1 with NOT_IMPLEMENTED");
  EXPECT_EQ(json["output"], "[E] NOT_IMPLEMENTED: no kernel \xef\xbf\xbd\n") << "an output needn't be valid UTF-8";
  EXPECT_EQ(json["confirmed"], 2);
  EXPECT_EQ(json["confirmations"], 3);
  EXPECT_EQ(json["passes"][0]["nodes_removed"], 9);
  EXPECT_EQ(json["checks"], 7);
  EXPECT_EQ(json["reused"], 2);
  EXPECT_EQ(json["files"]["model"], "r.onnx");
  EXPECT_TRUE(json["files"]["repro"].is_null());
  EXPECT_TRUE(json["error"].is_null());
}

TEST(ReductionJson, AResultWithUntriedNodesIsNotMinimal) {
  Reduction reduction = example();
  reduction.untried = {"Relu 'r': too little is known of its output"};
  EXPECT_EQ(parsed(reduction)["is_minimal"], false);
  reduction.untried.clear();
  reduction.stop_reason = Reduction::StopReason::checks;
  EXPECT_EQ(parsed(reduction)["is_minimal"], false);
  EXPECT_EQ(parsed(reduction)["end"], "max_checks");
}

TEST(ReductionJson, NamesTheFilesOfOtherFailures) {
  const Verdict crash = {.kind = Verdict::Kind::fails, .text = "crashed with signal 11 (Segmentation fault)"};
  const OtherFailure other = {.signature = signature_of(crash), .model = nullptr, .nodes = 3, .times = 2};
  const auto saved = parsed(example(), {other}, {.others = {"r.other-1.onnx"}})["others"][0];
  EXPECT_EQ(saved["description"], "crashed with signal 11 (Segmentation fault)");
  EXPECT_EQ(saved["times"], 2);
  EXPECT_EQ(saved["nodes"], 3);
  EXPECT_EQ(saved["file"], "r.other-1.onnx");
  EXPECT_TRUE(parsed(example(), {other})["others"][0]["file"].is_null());
}

}  // namespace
}  // namespace assay::reduce
