// Tactic replays on a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/gpu/gpu_workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// TensorRT has several tactics for convolutions. It may compile a chain of simple operators as a whole, without any.
constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  conv (float[1, 4, 32, 32] x) => (float[1, 4, 32, 32] y) <float[4, 1, 1, 1] w = {1, -2, 3, -4}> {
    a = Conv <group = 4, kernel_shape = [1, 1]> (x, w) b = Relu(a)
    y = Conv <group = 4, kernel_shape = [1, 1]> (b, w)
  })";

TEST_F(Gpu, TacticsAreRecordedAndReplayed) {
  ASSAY_NEEDS_TENSORRT_10("--save-tactics and --load-tactics");
  write_model("m.onnx", kModel);
  passes({"convert", "m.onnx", "-o", "m.plan", "--save-tactics", "replay.json"});
  EXPECT_THAT(passes({"inspect", "tactics", "replay.json"}), AllOf(HasSubstr("Layer: "), HasSubstr("tactic ")));
  const std::string replayed = passes({"run", "m.onnx", "--onnxrt", "--trt", "--load-tactics", "replay.json"});
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
  write_model("m.onnx", kModel);
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
