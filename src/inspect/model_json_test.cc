#include "inspect/model_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "inspect/network_model.h"
#include "model/load.h"

namespace assay::inspect {
namespace {

using nlohmann::json;

json shown(const std::string& body, const DescribeOptions& options) {
  const model::Model model = model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\n" + body).value();
  return json::parse(to_json(describe(model, options).value(), options));
}

TEST(ModelJson, DescribesTheWholeModel) {
  const json model = shown("g (float[N,3] x) => (float[N,3] y) <float[3] w = {1,2.5,3}> { y = Mul(x, w) }",
                           {.layers = true, .attributes = true, .weights = true});
  EXPECT_EQ(model["opsets"], json::parse(R"({"ai.onnx": 17})"));
  EXPECT_EQ(model["graph"]["inputs"], json::parse(R"([{"name": "x", "dtype": "float32", "shape": ["N", 3]}])"));
  EXPECT_EQ(model["graph"]["initializers"], json::parse(R"([{"name": "w", "dtype": "float32", "shape": [3],
                                                            "bytes": 12, "values": [1.0, 2.5, 3.0]}])"));
  const json& node = model["graph"]["nodes"][0];
  EXPECT_EQ(node["op"], "Mul");
  EXPECT_EQ(node["inputs"][1]["initializer"], true);
  EXPECT_EQ(node["attributes"], json::object());
}

TEST(ModelJson, SaysWhetherItIsANetworkOfTensorRT) {
  const json model = shown("g (float[2] x) => (float[2] y) { y = Neg(x) }", {});
  EXPECT_EQ(model["is_network"], false);
  tensorrt::NetworkInfo info;
  info.strongly_typed = true;
  const json network = json::parse(to_json(describe(network_model(info), {}).value(), {}));
  EXPECT_EQ(network["is_network"], true);
  EXPECT_EQ(network["is_strongly_typed"], true);
}

TEST(ModelJson, FloatsHaveTheirOwnDigits) {
  const json model = shown("g (float[1] x) => (float[1] y) <float[1] w = {0.1}> { y = Mul(x, w) }", {.weights = true});
  EXPECT_EQ(model["graph"]["initializers"][0]["values"].dump(), "[0.1]");
}

TEST(ModelJson, ListsUnboundedSizesIfRequested) {
  const char* body = "g (float[4] x) => (float[N,3] y) <int64[2] three = {1,3}> { n = NonZero(x) y = Tile(n, three) }";
  EXPECT_TRUE(shown(body, {.unbounded_sizes = true}).contains("unbounded_sizes"));
  EXPECT_FALSE(shown(body, {}).contains("unbounded_sizes"));
}

TEST(ModelJson, HasDescriptionsAndMetadataOfNodesThatHaveThem) {
  model::Model model = model::parse_text(R"(<ir_version: 10, opset_import: ["" : 17, "my" : 1]>
      g (float[2] x) => (float[2] y) { t = Neg(x) y = my.F:second (t) }
      <domain: "my", overload: "second", opset_import: ["" : 17]> F <beta: float = 0.5> (a) => (b) { b = Neg(a) })")
                           .value();
  onnx::NodeProto& node = *model.graph().mutable_node(0);
  node.set_doc_string("a doc");
  onnx::StringStringEntryProto* entry = node.add_metadata_props();
  entry->set_key("scope");
  entry->set_value("encoder");
  const DescribeOptions options{.layers = true, .attributes = true};
  const json shown = json::parse(to_json(describe(model, options).value(), options));
  const json& first = shown["graph"]["nodes"][0];
  EXPECT_EQ(first["doc"], "a doc");
  EXPECT_EQ(first["metadata"], json::parse(R"({"scope": "encoder"})"));
  EXPECT_FALSE(shown["graph"]["nodes"][1].contains("metadata"));
  EXPECT_EQ(shown["graph"]["nodes"][1]["overload"], "second");
  EXPECT_EQ(shown["functions"][0]["overload"], "second");
  EXPECT_EQ(shown["functions"][0]["defaults"], json::parse(R"({"beta": 0.5})"));
}

TEST(ModelJson, LeavesOutWhatWasNotRequested) {
  const json model = shown("g (float[N,3] x) => (float[N,3] y) <float[3] w = {1,2.5,3}> { y = Mul(x, w) }", {});
  EXPECT_FALSE(model["graph"].contains("nodes"));
  EXPECT_FALSE(model["graph"].contains("initializers"));
  EXPECT_EQ(model["graph"]["node_count"], 1);
  EXPECT_EQ(model["graph"]["initializer_bytes"], 12);
  EXPECT_EQ(model["graph"]["initializer_types"], json::parse(R"({"float32": {"count": 1, "bytes": 12}})"));
  EXPECT_EQ(model["graph"]["operators"], json::parse(R"({"Mul": 1})"));
}

TEST(ModelJson, ABodyIsAnObjectAndLongListsAreShortened) {
  const json model = shown(
      "g (float[2] x, bool c) => (float[2] y) { k = Constant <value = float[2] {1,2}> () "
      "y = If (c) <then_branch = t () => (float[2] a) { a = Relu(x) }, else_branch = e () => (float[2] b) { b = Neg(x) "
      "}> }",
      {.layers = true, .attributes = true});
  EXPECT_EQ(model["graph"]["nodes"][1]["attributes"]["then_branch"]["nodes"][0]["op"], "Relu");
  EXPECT_EQ(model["graph"]["operators"], json::parse(R"({"Constant": 1, "If": 1})"));
  EXPECT_EQ(model["graph"]["body_operators"], json::parse(R"({"Neg": 1, "Relu": 1})"));
  EXPECT_EQ(model["graph"]["nodes"][0]["attributes"]["value"]["values"], json::parse("[1.0, 2.0]"));
}

}  // namespace
}  // namespace assay::inspect
