// --format json of commands whose main result is a file or a verdict: standard output is one document and nothing else,
// whatever patterns and checks print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/shell_text.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"

namespace assay::e2e {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

// Both branches of the If, and the Constants, are known when constants are folded.
constexpr auto kFoldable = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) {
    c = Constant <value = bool {1}> ()
    d = If (c) <then_branch = a () => (float[2] p) { q = Constant <value = float[2] {1, 2}> () p = Neg(q) },
                else_branch = b () => (float[2] r) { r = Constant <value = float[2] {3, 4}> () }>
    y = Add(x, d)
  })";

// Finds each Neg after a Relu. Prints, as patterns under development do.
constexpr auto kPattern = R"(
print("NOISE")


def get_matching_subgraphs(graph):
    print("NOISE")
    return [{"inputs": [node.inputs[0].inputs[0].inputs[0].name], "outputs": [node.outputs[0].name], "attributes": {}}
            for node in graph.nodes if node.op == "Neg" and node.inputs[0].inputs[0].op == "Relu"]


def get_plugin_metadata():
    return {"name": "relu_neg", "op": "ReluNeg"}
)";

constexpr auto kAttention = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,4,8] q, float[1,8,4] k, float[1,4,8] v) => (float[1,4,8] y) {
    s = MatMul(q, k)  p = Softmax(s)  y = MatMul(p, v)
  })";

class JsonOutput : public EngineWorkspace {
 protected:
  // Runs the command, which has to exit with this status, and returns what it prints.
  [[nodiscard]] Json printed(Words words, int status = 0) const {
    const auto last = std::ranges::find(words, "--check");
    words.insert(last, {"--format", "json"});
    const Finished finished = run({"sh", "-c", base::shell_text(with_program(words)) + " 2> log.txt"});
    EXPECT_EQ(finished.status, status) << finished.output << read("log.txt");
    const Json document = Json::parse(finished.output, nullptr, false);
    EXPECT_TRUE(document.is_object()) << finished.output;
    EXPECT_THAT(read("log.txt"), HasSubstr("[I] RUNNING"));
    return document;
  }
};

TEST_F(JsonOutput, SanitizeTellsWhichOperatorsWent) {
  write_model("m.onnx", kFoldable);
  EXPECT_EQ(printed({"surgeon", "sanitize", "m.onnx", "--fold-constants", "-o", "out.onnx"}),
            Json::parse(R"({"nodes_before": 6, "nodes_after": 1, "operators": {
              "Constant": {"before": 3, "after": 0}, "If": {"before": 1, "after": 0}, "Neg": {"before": 1, "after": 0}},
              "lost_inputs": [], "model": "out.onnx"})"));
  EXPECT_EQ(operators("out.onnx"), Words{"Add"});
  EXPECT_EQ(printed({"surgeon", "sanitize", "no.onnx", "-o", "out.onnx"}, 1)["error"]["kind"], "not_found");
}

TEST_F(JsonOutput, RepeatTellsEveryVerdict) {
  // Fails in the second iteration, and can't be judged in the third.
  write("check.sh", "echo NOISE; echo x >> count; n=$(wc -l < count); exit $((n == 1 ? 0 : n == 2 ? 3 : 125))\n");
  Json document = printed({"debug", "repeat", "--until", "3", "--check", "sh", "check.sh"});
  Json& iterations = document["iterations"];
  ASSERT_EQ(iterations.size(), 3U);
  for (Json& iteration : iterations) {
    EXPECT_GE(iteration["seconds"], 0);
    EXPECT_EQ(iteration["output"], "NOISE\n");
    iteration.erase("seconds");
    iteration.erase("output");
  }
  EXPECT_EQ(document, Json::parse(R"({"stopped": false, "passed": 1, "failed": 1, "unresolved": 1, "iterations": [
              {"verdict": "passed", "text": "exit status 0"}, {"verdict": "failed", "text": "exit status 3"},
              {"verdict": "unresolved", "text": "exit status 125"}]})"));
  EXPECT_EQ(printed({"debug", "repeat", "--until", "3"}, 1)["error"]["where"], "--format json");
}

TEST_F(JsonOutput, ARepetitionThatIsStoppedTellsWhatItKnows) {
  write("check.sh", "echo x >> count; [ \"$(wc -l < count)\" -eq 1 ] && exit 0; touch hangs; exec sleep 600\n");
  write("start.sh", base::shell_text(with_program(
                        {"debug", "repeat", "--until", "9", "--format", "json", "--check", "sh", "check.sh"})) +
                        " > out.json 2> log.txt & until [ -e hangs ]; do sleep 0.05; done; kill -INT $!; wait $!\n");
  EXPECT_EQ(run({"bash", "-mc", ". ./start.sh"}).status, 130);
  const Json document = Json::parse(read("out.json"));
  EXPECT_EQ(document["stopped"], true);
  EXPECT_EQ(document["passed"], 1);
  EXPECT_EQ(document["iterations"].size(), 1U);
}

TEST_F(JsonOutput, BuildTellsEveryVerdict) {
  write_model("m.onnx", kAttention);
  const Json document =
      printed({"debug", "build", "m.onnx", "--onnxrt", "--until", "bad", "--check", "sh", "-c", "echo NOISE; exit 1"});
  EXPECT_EQ(document["failed"], 1);
  EXPECT_EQ(document["iterations"][0]["output"], "NOISE\n");
}

TEST_F(JsonOutput, PluginsTellWhatTheyFindAndReplace) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] u) { y = Relu(x) z = Neg(y) v = Relu(z) w = Neg(v) u = Abs(w) })");
  std::filesystem::create_directories(path("plugins/relu_neg"));
  write("plugins/relu_neg/pattern.py", kPattern);
  const Words options = {"m.onnx", "--plugin-dir", "plugins", "--python-interpreter", python};
  const auto plugin = [&](const char* command) {
    Words words = {"plugin", command};
    words.insert(words.end(), options.begin(), options.end());
    return printed(words);
  };
  EXPECT_EQ(plugin("list"), Json::parse(R"({"plugins": [{"name": "relu_neg", "found": 2}], "config": null})"));
  EXPECT_EQ(plugin("match"),
            Json::parse(R"({"plugins": [{"name": "relu_neg", "found": 2}], "config": "config.yaml"})"));
  EXPECT_EQ(plugin("replace"),
            Json::parse(R"({"plugins": [{"name": "relu_neg", "found": 2, "replaced": 2}], "lost_inputs": [],
                            "model": "replaced.onnx"})"));
  EXPECT_EQ(operators("replaced.onnx"), (Words{"ReluNeg", "ReluNeg", "Abs"}));
}

TEST_F(JsonOutput, ShardNamesItsModels) {
  write_model("m.onnx", kAttention);
  const Json document = printed({"multi-device", "shard", "m.onnx", "--one-shot", "--i-idx", "1", "--o-idx", "1",
                                 "--k-idx", "2", "--v-idx", "1", "-o", "out.onnx"});
  const auto words = operators("out.onnx");
  EXPECT_EQ(document, (Json{{"parallelism", "CP"},
                            {"models", {"out.onnx"}},
                            {"attention_layers", 1},
                            {"mlps", 0},
                            {"collective_nodes", std::ranges::count(words, "DistCollective")}}));
  EXPECT_GT(document["collective_nodes"], 1);
}

}  // namespace
}  // namespace assay::e2e
