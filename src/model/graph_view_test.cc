#include "model/graph_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "model/load.h"

namespace assay::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Model parse(const std::string& body) {
  auto model = parse_text("<ir_version: 10, opset_import: [\"\" : 20]>\n" + body);
  EXPECT_TRUE(model) << (model ? "" : model.error().message());
  return model ? std::move(*model) : Model{};
}

std::vector<std::string> names(const GraphView& view, std::span<const TensorId> ids) {
  std::vector<std::string> result;
  for (const TensorId id : ids) result.emplace_back(view.name(id));
  return result;
}

TEST(GraphView, KnowsProducersConsumersAndRoles) {
  const Model model = parse(R"(
    g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}, float[2] b = {3, 4}, float[2] m> {
      m = Mul(x, w)
      s = Add(m, m)
      y = Clip(s, , b)
    })");
  const GraphView view(model.graph());
  EXPECT_EQ(names(view, view.inputs(0)), (std::vector<std::string>{"x", "w"}));
  EXPECT_EQ(names(view, view.inputs(1)), (std::vector<std::string>{"m"})) << "each once";
  EXPECT_EQ(names(view, view.inputs(2)), (std::vector<std::string>{"s", "b"})) << "the empty input is left out";
  EXPECT_EQ(names(view, view.outputs(2)), (std::vector<std::string>{"y"}));
  EXPECT_EQ(view.producer(view.find("s")), 1);
  EXPECT_EQ(view.producer(view.find("x")), kNone);
  EXPECT_THAT(view.consumers(view.find("m")), ElementsAre(1));
  EXPECT_THAT(view.consumers(view.find("y")), ElementsAre());
  EXPECT_EQ(view.find("nothing"), kNone);
  EXPECT_EQ(view.find(""), kNone);
  EXPECT_EQ(view.producer(kNone), kNone) << "what find() returns can be asked about at once";
  EXPECT_THAT(view.consumers(kNone), ElementsAre());
  EXPECT_FALSE(view.is_graph_input(kNone) || view.is_initializer(kNone) || view.is_graph_output(kNone));
  EXPECT_EQ(view.initializer(kNone), nullptr);
  EXPECT_EQ(view.value_info(kNone), nullptr);

  EXPECT_TRUE(view.is_graph_input(view.find("x")));
  EXPECT_FALSE(view.is_graph_input(view.find("w"))) << "an input with a default value is an initializer";
  EXPECT_TRUE(view.is_initializer(view.find("w")));
  EXPECT_TRUE(view.is_graph_output(view.find("y")));
  EXPECT_FALSE(view.is_graph_output(view.find("m")));
  EXPECT_EQ(view.initializer(view.find("b")), &model.graph().initializer(1));
  EXPECT_EQ(view.initializer(view.find("x")), nullptr);
  EXPECT_EQ(view.value_info(view.find("x")), &model.graph().input(0));
  EXPECT_EQ(view.value_info(view.find("m")), &model.graph().value_info(0));
  EXPECT_EQ(view.value_info(view.find("s")), nullptr);
}

constexpr const char* kNested = R"(
  g (bool c, float[2] x, float[2] z) => (float[2] y) {
    a = Relu(x)
    y = If (c) <
      then_branch = t () => (float[2] r) {
        inner = Neg(a)
        r = If (c) <then_branch = tt () => (float[2] q) { q = Add(inner, z) },
                    else_branch = te () => (float[2] q) { q = Add(q2, inner)  q2 = Neg(z) }>
      },
      else_branch = e () => (float[2] a) { }
    >
  })";

TEST(GraphView, CountsCapturesOfBodiesAsInputsOfTheirNode) {
  const Model model = parse(kNested);
  const GraphView view(model.graph());
  EXPECT_EQ(names(view, view.inputs(1)), (std::vector<std::string>{"c", "a", "z"}));
  EXPECT_THAT(view.consumers(view.find("z")), ElementsAre(1));
  EXPECT_EQ(view.find("inner"), kNone) << "tensors of bodies are not tensors of this graph";
}

TEST(CapturedNames, LooksThroughNestedBodiesAndAtBodyOutputs) {
  const Model model = parse(kNested);
  const onnx::NodeProto& branch = model.graph().node(1);
  EXPECT_THAT(captured_names(branch.attribute(0).g()), ElementsAre("a", "c", "z"));
  EXPECT_THAT(captured_names(branch.attribute(1).g()), ElementsAre("a")) << "an output that the body does not make";
  EXPECT_THAT(captured_names(branch.attribute(0).g().node(1).attribute(0).g()), ElementsAre("inner", "z"));
}

TEST(CapturedNames, ABodysOwnInputsAndInitializersAreNotCaptured) {
  const Model model = parse(R"(
    g (int64 n, bool c, float[2] v) => (float[2] out) {
      out = Loop(n, c, v) <body = b (int64 i, bool keep, float[2] state) => (bool go, float[2] next)
          <float[2] k = {1, 2}> { go = Identity(keep)  t = Add(state, k)  next = Mul(t, v) }>
    })");
  EXPECT_THAT(captured_names(model.graph().node(0).attribute(0).g()), ElementsAre("v"));
}

TEST(GraphView, TakesACallOfALocalFunctionAsAPlainNode) {
  const Model model = parse(R"(
    g (float[2] x) => (float[2] y) { h = local.twice(x)  y = Relu(h) }
    <domain: "local", opset_import: ["" : 20]> twice (p) => (q) { q = Add(p, p) })");
  const GraphView view(model.graph());
  EXPECT_EQ(names(view, view.inputs(0)), (std::vector<std::string>{"x"}));
  EXPECT_EQ(view.find("p"), kNone);
}

TEST(GraphView, TheFirstDefinitionOfADuplicateNameCounts) {
  const Model model = parse(R"(
    g (float[2] x, float[2] x) => (float[2] y, float[2] y) <float[2] w = {1, 2}, float[2] w = {3, 4}> {
      y = Add(x, w)
      y = Neg(y)
      w = Neg(x)
      d, d = Split(y)
      e = Neg(d)
    })");
  const GraphView view(model.graph());
  EXPECT_EQ(view.producer(view.find("y")), 0);
  EXPECT_EQ(view.producer(view.find("w")), kNone);
  EXPECT_THAT(view.consumers(view.find("y")), ElementsAre(1, 3));
  EXPECT_EQ(view.outputs(3).size(), 1u);
  EXPECT_THAT(topological_order(view).value(), ElementsAre(0, 1, 2, 3, 4));
}

// ONNX Runtime 1.31 and OpenVINO 2026.4 compute y = x + 4 and z = x + 2, and so does ONNX's reference evaluator.
TEST(GraphView, TheLastOfSeveralConstantsCounts) {
  const Model model = parse(R"(
    g (float[1] x) => (float[1] y, float[1] z) <float[1] v = {1}, float[1] v = {2}, float[1] w = {3}> {
      w = Constant<value = float[1] {5}>()
      w = Constant<value = float[1] {4}>()
      y = Add(x, w)
      z = Add(x, v)
    })");
  const GraphView view(model.graph());
  EXPECT_EQ(view.producer(view.find("w")), 1);
  EXPECT_FALSE(view.is_initializer(view.find("w")));
  EXPECT_EQ(view.initializer(view.find("w")), nullptr);
  EXPECT_EQ(view.initializer(view.find("v")), &model.graph().initializer(1));
}

TEST(GraphView, SparseInitializersAreInitializersWithoutATensor) {
  Model model = parse("g (float[2] x) => (float[2] y) { y = Add(x, s) }");
  model.graph().add_sparse_initializer()->mutable_values()->set_name("s");
  const GraphView view(model.graph());
  EXPECT_TRUE(view.is_initializer(view.find("s")));
  EXPECT_EQ(view.initializer(view.find("s")), nullptr);
}

TEST(GraphView, AnEmptyGraphIsFine) {
  const onnx::GraphProto graph;
  const GraphView view(graph);
  EXPECT_EQ(view.tensor_count(), 0);
  EXPECT_TRUE(topological_order(view).value().empty());
}

TEST(TopologicalOrder, KeepsTheOrderOfTheFileIfPossible) {
  const Model model = parse(R"(
    g (float[2] x) => (float[2] y) {
      y = Neg(c)
      a = Neg(x)
      c = Add(a, b)
      b = Neg(x)
      d = Neg(x)
    })");
  EXPECT_THAT(topological_order(GraphView(model.graph())).value(), ElementsAre(1, 3, 2, 0, 4));
}

TEST(TopologicalOrder, SeesDependenciesOfBodies) {
  const Model model = parse(R"(
    g (bool c, float[2] x) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] r) { r = Neg(a) }, else_branch = e () => (float[2] r) { r = Neg(x) }>
      a = Neg(x)
    })");
  EXPECT_THAT(topological_order(GraphView(model.graph())).value(), ElementsAre(1, 0));
}

TEST(TopologicalOrder, NamesANodeOnTheCycle) {
  const Model model = parse(R"(
    g (float[2] x) => (float[2] y) {
      y = Neg(a)
      a = Add(x, b)
      b = Relu(a)
    })");
  const auto order = topological_order(GraphView(model.graph()));
  ASSERT_FALSE(order);
  EXPECT_EQ(order.error().kind, base::ErrorKind::invalid_input);
  EXPECT_THAT(order.error().where, testing::AnyOf(HasSubstr("Add 'a' (node #1)"), HasSubstr("Relu 'b' (node #2)")));
  EXPECT_FALSE(topological_order(GraphView(parse("g (float[2] x) => (float[2] y) { y = Neg(y) }").graph())));
}

// Every edge of a random graph whose nodes are in no order is respected.
TEST(TopologicalOrder, OrdersShuffledGraphs) {
  constexpr int kCount = 3000;
  std::mt19937 random(7);
  std::vector<int> position(kCount);
  for (int i = 0; i < kCount; ++i) position[static_cast<std::size_t>(i)] = i;
  std::shuffle(position.begin(), position.end(), random);
  onnx::GraphProto graph;
  for (int i = 0; i < kCount; ++i) graph.add_node();
  for (int i = 0; i < kCount; ++i) {
    onnx::NodeProto* node = graph.mutable_node(position[static_cast<std::size_t>(i)]);
    node->add_output("t" + std::to_string(i));
    for (int k = 0; k < 3 && i > 0; ++k) node->add_input("t" + std::to_string(random() % static_cast<unsigned>(i)));
  }
  const GraphView view(graph);
  const auto order = topological_order(view).value();
  ASSERT_EQ(order.size(), static_cast<std::size_t>(kCount));
  std::vector<bool> done(kCount);
  for (const NodeId id : order) {
    for (const TensorId input : view.inputs(id)) {
      const NodeId producer = view.producer(input);
      EXPECT_TRUE(producer == kNone || done[static_cast<std::size_t>(producer)]);
    }
    done[static_cast<std::size_t>(id)] = true;
  }
}

}  // namespace
}  // namespace assay::model
