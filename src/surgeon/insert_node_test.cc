#include "surgeon/insert_node.h"

#include "base/test_log.h"
#include "model/inference/check.h"
#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

using testing::HasSubstr;

onnx::NodeProto node(const std::string& op, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs) {
  onnx::NodeProto node;
  node.set_op_type(op);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& output : outputs) node.add_output(output);
  return node;
}

// Inserts the node and returns the graph as text.
std::string inserted(const std::string& graph, const onnx::NodeProto& added, bool valid = true) {
  model::Model model = parse(graph);
  base::SilentLog log;
  const base::Status status = insert_node(model, added, log);
  if (!status) return status.error().message();
  const base::Status checked = model::check(model);
  EXPECT_TRUE(checked || !valid) << checked.error().message() << "\n" << text(model);
  return text(model);
}

std::string graph(const std::string& text_of_graph) {
  return text(parse(text_of_graph));
}

constexpr auto kChain = "g (float[2] x) => (float[2] y) { a = Relu(x)  b = Abs(a)  y = Neg(b) }";

TEST(InsertNode, ReplacesTheProducerOfAnOutput) {
  EXPECT_EQ(inserted(kChain, node("Exp", {"a"}, {"b"})),
            graph("g (float[2] x) => (float[2] y) { a = Relu(x)  b = Exp(a)  y = Neg(b) }"));
}

TEST(InsertNode, RemovesNodesThatNoOutputNeedsAnyMore) {
  EXPECT_EQ(inserted(kChain, node("Exp", {"x"}, {"y"})), graph("g (float[2] x) => (float[2] y) { y = Exp(x) }"));
}

TEST(InsertNode, GoesBetweenATensorAndAllItsReaders) {
  EXPECT_EQ(
      inserted("g (float[2] x) => (float[2] y, float[2] c) { a = Relu(x)  b = Abs(a)  c = Neg(a)  y = Add(b, c) }",
               node("Exp", {"a"}, {"a"})),
      graph("g (float[2] x) => (float[2] y, float[2] c) { a = Relu(x) "
            "a_polygraphy_surgeon_insert_output = Exp(a) "
            "b = Abs(a_polygraphy_surgeon_insert_output)  c = Neg(a_polygraphy_surgeon_insert_output) "
            "y = Add(b, c) }"));
}

TEST(InsertNode, IsInsertedAfterAGraphInput) {
  EXPECT_EQ(inserted(kChain, node("Exp", {"x"}, {"x"})),
            graph("g (float[2] x) => (float[2] y) { x_polygraphy_surgeon_insert_output = Exp(x) "
                  "a = Relu(x_polygraphy_surgeon_insert_output)  b = Abs(a)  y = Neg(b) }"));
}

TEST(InsertNode, KeepsTheNameOfAGraphOutput) {
  model::Model model = parse(kChain);
  base::SilentLog silent;
  ASSERT_TRUE(insert_node(model, node("Exp", {"y"}, {"y"}), silent));
  EXPECT_EQ(text(model),
            graph("g (float[2] x) => (float[2] y) { a = Relu(x)  b = Abs(a) "
                  "y_polygraphy_surgeon_insert_output = Neg(b)  y = Exp(y_polygraphy_surgeon_insert_output) }"));
  EXPECT_EQ(model.graph().output(0).type().tensor_type().elem_type(), onnx::TensorProto::FLOAT);
  ASSERT_EQ(model.graph().value_info_size(), 1);
  EXPECT_EQ(model.graph().value_info(0).name(), "y_polygraphy_surgeon_insert_output");
}

// Without the declaration, engines would refuse the model.
TEST(InsertNode, ACastChangesTheTypeOfAnOutputOfTheModel) {
  model::Model model = parse(kChain);
  onnx::NodeProto cast = node("Cast", {"y"}, {"y"});
  onnx::AttributeProto& to = *cast.add_attribute();
  to.set_name("to");
  to.set_type(onnx::AttributeProto::STRING);
  to.set_s("float16");
  base::test::TestLog log;
  ASSERT_TRUE(insert_node(model, cast, log));
  EXPECT_THAT(log.text(), testing::AllOf(HasSubstr("The output 'y' of the model is float16 now"),
                                         testing::Not(HasSubstr("Engines won't take"))));
  EXPECT_TRUE(model::check(model));
  EXPECT_EQ(model.graph().output(0).type().tensor_type().elem_type(), onnx::TensorProto::FLOAT16);
  EXPECT_EQ(model.graph().node(3).attribute(0).i(), onnx::TensorProto::FLOAT16);
}

TEST(InsertNode, IsReadByBodies) {
  EXPECT_EQ(inserted(R"(g (float[2] x, bool c) => (float[2] y) { a = Relu(x)
                        y = If (c) <then_branch = t () => (float[2] t) { t = Neg(a) },
                                    else_branch = e () => (float[2] e) { a = Abs(x)  e = Neg(a) }> })",
                     node("Exp", {"a"}, {"a"}), /*valid=*/false),
            graph(R"(g (float[2] x, bool c) => (float[2] y) { a = Relu(x)
                     a_polygraphy_surgeon_insert_output = Exp(a)
                     y = If (c) <then_branch = t () => (float[2] t) { t = Neg(a_polygraphy_surgeon_insert_output) },
                                 else_branch = e () => (float[2] e) { a = Abs(x)  e = Neg(a) }> })"));
}

// Polygraphy removes the replaced output from the list, so that the next one takes its place.
TEST(InsertNode, LeavesTheOtherOutputsOfANodeInTheirPlaces) {
  EXPECT_EQ(inserted("g (float[4] x, float[2] z) => (float[2] y) { p, q = Split(x)  y = Add(p, q) }",
                     node("Exp", {"z"}, {"p"})),
            graph("g (float[4] x, float[2] z) => (float[2] y) "
                  "{ p = Exp(z)  p_replaced, q = Split(x)  y = Add(p, q) }"));
}

TEST(InsertNode, ReplacesAnInitializer) {
  EXPECT_EQ(inserted("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { a = Abs(x)  y = Mul(a, w) }",
                     node("Exp", {"x"}, {"w"})),
            graph("g (float[2] x) => (float[2] y) { w = Exp(x)  a = Abs(x)  y = Mul(a, w) }"));
}

TEST(InsertNode, SortsNodesIfItHasTo) {
  EXPECT_EQ(inserted("g (float[2] x) => (float[2] y) { a = Relu(x)  b = Abs(x)  d = Neg(b)  c = Exp(x) "
                     "e = Add(d, a)  y = Add(e, c) }",
                     node("Log", {"c"}, {"b"})),
            graph("g (float[2] x) => (float[2] y) { a = Relu(x)  c = Exp(x)  b = Log(c)  d = Neg(b) "
                  "e = Add(d, a)  y = Add(e, c) }"));
}

TEST(InsertNode, ChoosesNamesThatAreFree) {
  EXPECT_THAT(inserted("g (float[2] x) => (float[2] y) { a_polygraphy_surgeon_insert_output = Relu(x) "
                       "a = Abs(a_polygraphy_surgeon_insert_output)  y = Neg(a) }",
                       node("Exp", {"a"}, {"a"})),
              HasSubstr("a_polygraphy_surgeon_insert_output_0 = Exp (a)"));
}

TEST(InsertNode, WarnsOfNodesThatContradictTheModel) {
  const auto warnings = [](const onnx::NodeProto& added) {
    model::Model model = parse(kChain);
    base::test::TestLog log(base::Level::warning);
    EXPECT_TRUE(insert_node(model, added, log));
    return log.text();
  };
  EXPECT_EQ(warnings(node("Exp", {"a"}, {"a"})), "");
  EXPECT_EQ(warnings(node("MyPlugin", {"a"}, {"a"})), "") << "not one of ONNX's operators";
  EXPECT_THAT(warnings(node("Swish", {"a"}, {"a"})),
              HasSubstr("ONNX has Swish from opset 24 on, but the model imports"));
  EXPECT_THAT(warnings(node("Not", {"a"}, {"a"})), HasSubstr("The new node contradicts the model: Not 'a"));
  EXPECT_THAT(warnings(node("Exp", {"a", "x"}, {"a"})), HasSubstr("Engines won't take the new node: "));
}

TEST(InsertNode, WarnsIfAnotherNodeHasTheName) {
  model::Model model = parse(kChain);
  model.graph().mutable_node(0)->set_name("first");
  base::test::TestLog log(base::Level::warning);
  onnx::NodeProto same = node("Exp", {"a"}, {"a"});
  same.set_name("first");
  EXPECT_TRUE(insert_node(model, same, log));
  EXPECT_THAT(log.text(), HasSubstr("Another node is named 'first'"));
}

TEST(InsertNode, RejectsInvalidRequests) {
  EXPECT_THAT(inserted(kChain, node("", {"a"}, {"a"})), HasSubstr("the operator has no name (in --op)"));
  EXPECT_THAT(inserted(kChain, node("Exp", {"nowhere"}, {"b"})), HasSubstr("no tensor 'nowhere' (in --inputs)"));
  EXPECT_THAT(inserted(kChain, node("Exp", {"a"}, {"nowhere"})), HasSubstr("no tensor 'nowhere' (in --outputs)"));
  EXPECT_THAT(inserted(kChain, node("Exp", {"a"}, {"b", "b"})), HasSubstr("'b' is given twice (in --outputs)"));
  EXPECT_THAT(inserted(kChain, node("Exp", {"a"}, {"x"})), HasSubstr("'x' is an input of the model"));
  EXPECT_THAT(inserted(kChain, node("Exp", {"b"}, {"a"})), HasSubstr("the node would create a cycle"));
  EXPECT_THAT(
      inserted("g (float[2] x) => (float[2] y) { a = Add(b, x)  b = Neg(a)  y = Abs(b) }", node("Exp", {"x"}, {"y"})),
      HasSubstr("the graph has a cycle"));
  EXPECT_THAT(inserted("g (float[2] x) => (float[2] x, float[2] y) { y = Abs(x) }", node("Exp", {"x"}, {"x"})),
              HasSubstr("both an input and an output"));
}

// As converters of tree ensembles save models.
TEST(InsertNode, ImportsTheDefaultDomainIfTheModelDoesNot) {
  const auto inserted_version = [](const onnx::NodeProto& added) {
    model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["ai.onnx.ml" : 3]>
        g (float[1, 2] x) => (float[1, 2] y) { y = ai.onnx.ml.Scaler<scale = [2.0, 3.0]>(x) })")
                             .value();
    base::test::TestLog log;
    EXPECT_TRUE(insert_node(model, added, log));
    EXPECT_EQ(log.text(), "");
    const base::Status checked = model::check(model);
    EXPECT_TRUE(checked) << checked.error().message();
    return model::default_opset(model.proto);
  };
  EXPECT_EQ(inserted_version(node("Identity", {"x"}, {"x"})), 13);
  EXPECT_EQ(inserted_version(node("Mish", {"x"}, {"x"})), 18);  // ONNX has it since then
}

TEST(InsertNode, DeclaredShapesFollowFromTheNewNode) {
  constexpr auto kShapes = "g (float[2,3] x) => (float[2,3] y) <float[2,3] a> { a = Relu(x)  y = Abs(a) }";
  EXPECT_EQ(inserted(kShapes, node("Transpose", {"a"}, {"a"})),
            graph("g (float[2,3] x) => (float[3,2] y) { a = Relu(x)  a_polygraphy_surgeon_insert_output = Transpose(a) "
                  "y = Abs(a_polygraphy_surgeon_insert_output) }"));
}

TEST(InsertNode, DeclaredShapesInABodyStayOnlyIfTheNewNodeKeepsTheShape) {
  constexpr auto kLoop = R"(g (int64 n, bool c, float[2,3] x) => (float[N,M] y, int64[K,2] s) { a = Relu(x)
      y, s = Loop (n, c, a) <body = b (int64 i, bool d, float[2,3] v) => (bool e, float[] r, int64[2] h) {
        e = Identity(d)  h = Shape(v)  r = Neg(v) }> })";
  EXPECT_THAT(inserted(kLoop, node("Abs", {"a"}, {"a"})), HasSubstr("float[2,3] v"));
  EXPECT_THAT(inserted(kLoop, node("Transpose", {"a"}, {"a"})), testing::Not(HasSubstr("float[2,3] v")));
}

}  // namespace
}  // namespace assay::surgeon
