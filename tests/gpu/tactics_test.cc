// Tactic replays on a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/gpu/gpu_workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST_F(Gpu, TacticsAreRecordedAndReplayed) {
  ASSAY_NEEDS_TENSORRT_10("--save-tactics and --load-tactics");
  write_model("m.onnx", convolutions());
  passes({"convert", "m.onnx", "-o", "m.plan", "--save-tactics", "replay.json"});
  EXPECT_THAT(passes({"inspect", "tactics", "replay.json"}), AllOf(HasSubstr("Layer: "), HasSubstr("tactic ")));
  // Tactics add in other orders, and Winograd's rounds otherwise.
  const std::string replayed =
      passes({"run", "m.onnx", "--onnxrt", "--trt", "--load-tactics", "replay.json", "--atol", "1e-2"});
  EXPECT_THAT(replayed, HasSubstr("1 of 1 iterations agree"));
  // TensorRT may ask about layers that the engine doesn't have in the end, which are then warnings.
  if (on_stand_in()) {
    EXPECT_THAT(replayed, testing::Not(HasSubstr("tactic replay")));
  }
  // No layer has such a tactic.
  std::string replay = read("replay.json");
  const std::string member = "\"tactic\":";
  for (std::size_t at = replay.find(member); at != std::string::npos; at = replay.find(member, at + 1)) {
    const std::size_t begin = at + member.size();
    replay.replace(begin, replay.find(',', begin) - begin, "11223344556677");
  }
  write("wrong.json", replay);
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--load-tactics", "wrong.json"}),
              HasSubstr("TensorRT doesn't offer the tactic that the replay has for the layer '"));
}

TEST_F(Gpu, TacticsOfGoodAndBadEnginesAreCompared) {
  ASSAY_NEEDS_TENSORRT_10("--save-tactics");
  write_model("m.onnx", convolutions());
  // The check fails every second time, whatever the engine computes.
  write("check.sh", "echo run >> runs; test -s replay.json && test $(($(wc -l < runs) % 2)) -eq 0");
  passes({"debug", "build", "m.onnx", "--trt", "--save-tactics", "replay.json", "--artifacts", "replay.json", "--until",
          "4", "--check", "sh", path("check.sh").string()});
  const std::string difference =
      passes({"inspect", "diff-tactics", "--dir", "polygraphy_artifacts", "--format", "json"});
  EXPECT_THAT(difference, AllOf(HasSubstr("\"good_files\": 2"), HasSubstr("\"bad_files\": 2")));
}

}  // namespace
}  // namespace assay::e2e
