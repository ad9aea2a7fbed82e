#include "pages/graph.h"

#include <gmock/gmock.h>

#include "model/load.h"
#include "tests/support/paths.h"

namespace assay::pages {
namespace {

using report::PageGraph;
using report::PageNode;
using report::PageTensor;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Role = PageTensor::Role;

model::Model parse(const std::string& text) {
  return model::parse_text("<ir_version: 10, opset_import: [\"\" : 20]>\n" + text).value();
}

std::vector<std::string> names(const PageGraph& graph, const std::vector<std::int32_t>& tensors) {
  std::vector<std::string> found;
  for (const std::int32_t tensor : tensors) {
    found.push_back(tensor < 0 ? "-" : graph.tensors.at(static_cast<std::size_t>(tensor)).name);
  }
  return found;
}

const PageTensor& tensor(PageGraph& graph, const std::string& name) {
  const PageTensor* found = GraphTensors(graph).find(name);
  if (found == nullptr) throw std::out_of_range(name);
  return *found;
}

TEST(PageGraph, HasNodesInTopologicalOrderWithShapesAndRoles) {
  PageGraph graph = graph_of(parse(R"(
    g (float[N, 3] x) => (float[N, 2] y) <float[3, 2] w = {1, 2, 3, 4, 5, 6}> {
      [last] y = Relu(t)
      [first] t = MatMul(x, w)
    })"));
  ASSERT_EQ(graph.nodes.size(), 2);
  EXPECT_EQ(graph.nodes[0].name, "first");
  EXPECT_EQ(graph.nodes[0].op_type, "MatMul");
  EXPECT_THAT(names(graph, graph.nodes[0].inputs), ElementsAre("x", "w"));
  EXPECT_THAT(names(graph, graph.nodes[1].outputs), ElementsAre("y"));
  EXPECT_EQ(tensor(graph, "x").role, Role::input);
  EXPECT_EQ(tensor(graph, "w").role, Role::weight);
  EXPECT_EQ(tensor(graph, "t").role, Role::value);
  EXPECT_EQ(tensor(graph, "y").role, Role::output);
  EXPECT_EQ(tensor(graph, "t").type, "float32");
  EXPECT_EQ(tensor(graph, "t").shape, "[N, 2]");  // inferred
  EXPECT_EQ(tensor(graph, "w").shape, "[3, 2]");
}

TEST(PageGraph, CompletesDeclaredShapesByInferredOnes) {
  PageGraph graph = graph_of(parse("g (float[4, 3] x) => (float[M, N] y) { y = Transpose(x) }"));
  EXPECT_EQ(tensor(graph, "y").shape, "[3, 4]");
}

TEST(PageGraph, KeepsTheTensorsOfBodiesApart) {
  PageGraph graph = graph_of(parse(R"(
    g (float[2] x, bool c) => (float[2] z) {
      y = Abs(x)
      z = If (c) <then_branch = a () => (float[2] t) { t = Neg(y) }, else_branch = b () => (float[2] t) { t = Exp(y) }>
      t = Neg(z)
    })"));
  ASSERT_EQ(graph.nodes.size(), 5);
  const PageNode& then_node = graph.nodes[2];
  const PageNode& else_node = graph.nodes[3];
  EXPECT_EQ(graph.nodes[1].op_type, "If");
  EXPECT_THAT(graph.nodes[1].attributes, IsEmpty());  // its bodies follow it as nodes
  EXPECT_EQ(then_node.parent, 1);
  EXPECT_EQ(then_node.body, "then_branch");
  EXPECT_EQ(else_node.body, "else_branch");
  EXPECT_EQ(graph.nodes[4].parent, -1);
  EXPECT_EQ(then_node.inputs, graph.nodes[0].outputs);  // captured from the main graph
  EXPECT_NE(then_node.outputs, else_node.outputs);
  // The name of a tensor is that of the main graph.
  EXPECT_EQ(GraphTensors(graph).find("t") - graph.tensors.data(), graph.nodes[4].outputs[0]);
}

TEST(PageGraph, ShowsAttributesAndLeftOutInputs) {
  const PageGraph graph = graph_of(parse(R"(
    g (float[8] x) => (float[8] y) {
      k = Constant<value = int64[2] {1, 6}>()
      big = Constant<value = float[9] {1, 2, 3, 4, 5, 6, 7, 8, 9}>()
      [limit] y = Clip(x, , m)
      m = ReduceMax<keepdims = 0>(x)
    })"));
  EXPECT_THAT(graph.nodes[0].attributes, ElementsAre(Pair("value", "int64 (2) = [1 6]")));
  EXPECT_THAT(graph.nodes[1].attributes, ElementsAre(Pair("value", "float32 (9)")));
  EXPECT_THAT(graph.nodes[2].attributes, ElementsAre(Pair("keepdims", "0")));
  EXPECT_THAT(names(graph, graph.nodes[3].inputs), ElementsAre("x", "-", "m"));
}

TEST(PageGraph, HasStatisticsOfTheLargestWeights) {
  const model::Model model = parse(R"(
    g (float[3] x) => (float[3] y) <float[3] large = {1, 2, 6}, float[1] small = {7}> {
      t = Add(x, large) y = Add(t, small)
    })");
  PageGraph graph = graph_of(model);
  add_weight_statistics(graph, model, 1);
  ASSERT_EQ(tensor(graph, "large").statistics.size(), 1);
  const report::PageStatistics& found = tensor(graph, "large").statistics[0];
  EXPECT_EQ(found.side, "");
  EXPECT_EQ(found.minimum, 1);
  EXPECT_EQ(found.maximum, 6);
  EXPECT_EQ(found.mean, 3);
  ASSERT_TRUE(found.histogram);
  EXPECT_EQ(found.histogram->counts.front(), 1);
  EXPECT_EQ(found.histogram->counts.back(), 1);
  EXPECT_THAT(tensor(graph, "small").statistics, IsEmpty());
  // Nothing is read beyond the limit: the smaller weight fits, the larger one doesn't.
  PageGraph cheap = graph_of(model);
  add_weight_statistics(cheap, model, 10, 4);
  EXPECT_THAT(tensor(cheap, "large").statistics, IsEmpty());
  EXPECT_EQ(tensor(cheap, "small").statistics.size(), 1);
}

TEST(PageGraph, ShowsEveryModelOfTheTests) {
  for (const auto& path : test::onnx_files(test::models_dir())) {
    SCOPED_TRACE(path);
    const auto model = model::load(path);
    if (!model) continue;
    PageGraph graph = graph_of(*model);
    EXPECT_EQ(graph.file, path.string());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const PageNode& node = graph.nodes[i];
      EXPECT_LT(node.parent, static_cast<std::int32_t>(i));
      EXPECT_EQ(node.parent < 0, node.body.empty());
      for (const auto* list : {&node.inputs, &node.outputs}) {
        for (const std::int32_t at : *list) EXPECT_LT(at, static_cast<std::int32_t>(graph.tensors.size()));
      }
    }
    for (const onnx::ValueInfoProto& output : model->graph().output()) EXPECT_NE(tensor(graph, output.name()).type, "");
  }
}

}  // namespace
}  // namespace assay::pages
