// `plugin autotune` on a GPU. The plug-ins here replace nodes by TensorRT's own operators, so that they need no
// library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/e2e/layer_times.h"
#include "tests/gpu/gpu_workspace.h"
#include "tests/support/fetched.h"

namespace assay::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[64, 64] x) => (float[64, 64] y) { a = Exp(x) b = Log(a) c = Tanh(b) d = Exp(c) e = Log(d) y = Sigmoid(e) })";

// Finds Exp and Log in a row, which cancel each other.
constexpr auto kPattern = R"(
def get_matching_subgraphs(graph):
    return [{"inputs": [node.inputs[0].name], "outputs": [node.o().outputs[0].name], "attributes": {}}
            for node in graph.nodes if node.op == "Exp"]


def get_plugin_metadata():
    return {"name": "cancel", "op": "Neg"}
)";

class GpuAutotune : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    python_ = test::fetched_python();
    if (python_.empty()) GTEST_SKIP() << test::kNoPython;
    write_model("m.onnx", kModel);
    std::filesystem::create_directories(path("plugins/cancel"));
    write("plugins/cancel/pattern.py", kPattern);
    // The layers of the stand-in take no time by themselves.
    if (on_stand_in()) set_layer_times("Exp=4,Log=4,Neg=1", environment_);
  }
  std::string python_;
};

TEST_F(GpuAutotune, EachCombinationIsTimed) {
  for (const char* mode : {"greedy", "exhaustive"}) {
    const std::string output =
        passes({"plugin", "autotune", "m.onnx", "--plugin-dir", "plugins", "--python-interpreter", python_,
                "--autotune-mode", mode, "--threshold", "0", "--report", "report.json", "-o", "out.onnx"});
    const auto report = nlohmann::json::parse(read("report.json"));
    EXPECT_GE(report["combinations"].size(), 3U) << output;
    for (const auto& trial : report["combinations"]) {
      EXPECT_EQ(trial["outcome"], "timed") << output;
      EXPECT_GT(trial["median_s"], 0);
    }
    // How long kernels take on a GPU is its own affair.
    const bool improves = report["verdict"] == "faster";
    EXPECT_EQ(operators("out.onnx").size(), improves ? 6 - report["used"].size() : 6U) << output;
    if (on_stand_in()) {
      EXPECT_THAT(report["used"], ElementsAre("cancel_0", "cancel_1"));
    }
    passes({"run", "out.onnx", "--trt"});
  }
}

}  // namespace
}  // namespace assay::e2e
