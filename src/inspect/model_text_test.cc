#include "inspect/model_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::inspect {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr DescribeOptions kAll{.layers = true, .attributes = true, .weights = true};

model::Model parse(const std::string& body) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 2]>\n" + body).value();
}

std::string text(const model::Model& model, const DescribeOptions& options) {
  return to_text(describe(model, options).value(), options);
}

TEST(ModelText, NodesStandOnLinesThatScriptsCanSearch) {
  const model::Model model =
      parse("g (float[N,3] x) => (float[N,3] y) <float[3] w = {1,2,3}> { t = Mul(x, w)  y = my.Foo(t, , x) }");
  const std::string shown = text(model, {.layers = true});
  EXPECT_THAT(shown, HasSubstr("Node 0    |  [Op: Mul]\n"
                               "    {x [dtype=float32, shape=('N', 3)],\n"
                               "     Initializer | w [dtype=float32, shape=(3,)]}\n"
                               "     -> {t}\n"));
  EXPECT_THAT(shown, HasSubstr("Node 1    |  [Op: Foo] [Domain: my]\n"
                               "    {t,\n"
                               "     ,\n"
                               "     x [dtype=float32, shape=('N', 3)]}\n"
                               "     -> {y [dtype=float32, shape=('N', 3)]}"));
  EXPECT_THAT(shown, HasSubstr("---- Initializers (1) ----\n{w [dtype=float32, shape=(3,)]}"));
}

TEST(ModelText, WithoutLayersOnlyCountsAreShown) {
  const model::Model model = parse(
      "g (float[N,3] x, bool c) => (float[N,3] y) <float[3] w = {1,2,3}, int64[1] i = {1}> {\n"
      "  a = Neg(x)  b = Mul(a, w)  d = Mul(b, w)\n"
      "  y = If (c) <then_branch = t () => (float[N,3] p) { p = Relu(d) },\n"
      "              else_branch = e () => (float[N,3] q) { r = Relu(d)  q = my.Foo(r) }> }");
  EXPECT_EQ(text(model, {}),
            "==== ONNX model ====\n"
            "Name: g | Opset: 17 | Other opsets: my 2 | IR version: 8 | Weights: 20 B\n"
            "\n"
            "---- Inputs (2) ----\n"
            "{x [dtype=float32, shape=('N', 3)],\n"
            " c [dtype=bool, shape=()]}\n"
            "\n"
            "---- Outputs (1) ----\n"
            "{y [dtype=float32, shape=('N', 3)]}\n"
            "\n"
            "---- Initializers (2) ----\n"
            "1 float32 (12 B), 1 int64 (8 B)\n"
            "\n"
            "---- Nodes (4) ----\n"
            "2 Mul, 1 If, 1 Neg\n"
            "In bodies (3): 2 Relu, 1 my.Foo");
}

TEST(ModelText, LongListsOfOperatorsAreWrapped) {
  std::string nodes;
  for (int i = 0; i < 12; ++i) nodes += "t" + std::to_string(i) + " = my.QuiteALongName" + std::to_string(i) + "(x) ";
  const std::string shown = text(parse("g (float[2] x) => (float[2] y) { " + nodes + " y = Neg(x) }"), {});
  EXPECT_THAT(shown, HasSubstr("---- Nodes (13) ----\n1 Neg, 1 my.QuiteALongName0, "));
  EXPECT_THAT(shown, testing::ContainsRegex("1 my.QuiteALongName[0-9]+,\n1 my.QuiteALongName[0-9]+,"));
}

TEST(ModelText, ShowsWeightsAndAttributes) {
  const model::Model model = parse(
      "g (float[2] x) => (float[2] y) <float[2] w = {0.5,2}> {\n"
      "  c = Constant <value = int64[2] {3, 40}> ()\n"
      "  d = Cast <to = 10> (c)\n"
      "  y = my.Foo <i = 3, f = 0.1, s = \"text\", ints = [1, 2], floats = [1.0, 2.5], strings = [\"a\", \"b\"]> (d) "
      "}");
  const std::string shown = text(model, kAll);
  EXPECT_THAT(shown, HasSubstr("Initializer | w [dtype=float32, shape=(2,)] | Values:\n    [0.5 2. ]\n"));
  EXPECT_THAT(shown, HasSubstr("Node 0    |  [Op: Constant]\n    {} -> {c}\n    ---- Attributes ----\n"));
  EXPECT_THAT(shown, HasSubstr("    value = Tensor [dtype=int64, shape=(2,)] | Values:\n        [ 3 40]\n"));
  EXPECT_THAT(shown, HasSubstr("    to = float16\n"));
  EXPECT_THAT(shown, HasSubstr("    i = 3\n"));
  EXPECT_THAT(shown, HasSubstr("    f = 0.1\n"));
  EXPECT_THAT(shown, HasSubstr("    s = text\n"));
  EXPECT_THAT(shown, HasSubstr("    ints = [1, 2]\n"));
  EXPECT_THAT(shown, HasSubstr("    floats = [1.0, 2.5]\n"));
  EXPECT_THAT(shown, HasSubstr("    strings = ['a', 'b']"));
}

TEST(ModelText, ShowsBodiesWithTheTensorsThatTheyCapture) {
  const model::Model model = parse(
      "g (float[2] x, bool c) => (float[2] y) <float[2] w = {1,2}> {\n"
      "  y = If (c) <then_branch = then () => (float[2] t) { t = Add(x, w) },\n"
      "              else_branch = other () => (float[2] e) <float[1] k = {3}> { e = Mul(x, k) }> }");
  const std::string shown = text(model, kAll);
  EXPECT_THAT(shown, HasSubstr("    then_branch =\n"));
  EXPECT_THAT(shown, HasSubstr("        Node 0    |  [Op: Add]\n"
                               "                {x [dtype=float32, shape=(2,)],\n"
                               "                 w [dtype=float32, shape=(2,)]}\n"
                               "                 -> {t [dtype=float32, shape=(2,)]}\n"));
  EXPECT_THAT(shown, HasSubstr("Initializer | k [dtype=float32, shape=(1,)]}"));
  EXPECT_THAT(text(model, {.layers = true}), Not(HasSubstr("Op: Add")));
}

TEST(ModelText, ShowsLocalFunctions) {
  const model::Model model = parse(
      "g (float[2] x) => (float[2] y) { y = my.F <alpha = 2.0> (x) }\n"
      "<domain: \"my\", opset_import: [\"\" : 17]> F <alpha, beta: float = 0.5> (a) => (b) {\n"
      "  b = LeakyRelu <alpha: float = @alpha> (a) }");
  const std::string shown = text(model, kAll);
  EXPECT_THAT(shown, HasSubstr("==== Function F ====\nDomain: my | Opsets: ai.onnx 17 | Attributes: alpha, beta\n\n"
                               "---- Default attributes ----\nbeta = 0.5\n\n"));
  EXPECT_THAT(shown, HasSubstr("Node 0    |  [Op: LeakyRelu]\n    {a}\n     -> {b}\n"));
  EXPECT_THAT(shown, HasSubstr("    alpha = (attribute 'alpha' of the function)"));
}

// PyTorch's exporter writes there where a node comes from.
TEST(ModelText, ShowsDescriptionsAndMetadataOfNodesWithTheirAttributes) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { [n] y = LeakyRelu <alpha = 0.5> (x) }");
  onnx::NodeProto& node = *model.graph().mutable_node(0);
  node.set_doc_string("two\nlines");
  const auto add = [&](const char* key, const char* value) {
    onnx::StringStringEntryProto* entry = node.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  };
  add("scope", "encoder.layer0");
  add("stack", "File \"m.py\", line 3\n  return f(x)");
  EXPECT_THAT(text(model, kAll), HasSubstr("    ---- Attributes ----\n    n.alpha = 0.5\n"
                                           "    ---- Description ----\n    two\n    lines\n"
                                           "    ---- Metadata ----\n    scope: encoder.layer0\n"
                                           "    stack:\n    File \"m.py\", line 3\n      return f(x)"));
  EXPECT_THAT(text(model, {.layers = true}), Not(HasSubstr("encoder")));
}

TEST(ModelText, TellsFunctionsOfOneNameApartByTheirOverload) {
  const std::string shown = text(parse(R"(g (float[2] x) => (float[2] y) { y = my.F:second (x) }
      <domain: "my", overload: "second", opset_import: ["" : 17]> F (a) => (b) { b = Neg(a) })"),
                                 kAll);
  EXPECT_THAT(shown, HasSubstr("[Op: F] [Domain: my] [Overload: second]\n"));
  EXPECT_THAT(shown, HasSubstr("==== Function F ====\nDomain: my | Overload: second | Opsets: ai.onnx 17\n"));
}

TEST(ModelText, SparseInitializersHaveAShapeAndASize) {
  model::Model model = parse("g (float[2,3] x) => (float[2,4] y) { y = MatMul(x, s) }");
  onnx::SparseTensorProto& sparse = *model.graph().add_sparse_initializer();
  sparse.mutable_values()->set_name("s");
  sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse.mutable_values()->add_dims(2);
  for (const float value : {0.5F, 2.0F}) sparse.mutable_values()->add_float_data(value);
  sparse.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse.mutable_indices()->add_dims(2);
  for (const std::int64_t index : {3, 10}) sparse.mutable_indices()->add_int64_data(index);
  sparse.add_dims(3);
  sparse.add_dims(4);
  const std::string shown = text(model, {.layers = true});
  EXPECT_THAT(shown, HasSubstr("Weights: 24 B")) << "2 values of 4 bytes, 2 indices of 8";
  EXPECT_THAT(shown, HasSubstr("{s [dtype=float32, shape=(3, 4), stored=2]}"));
  EXPECT_THAT(shown, HasSubstr("Initializer | s [dtype=float32, shape=(3, 4)]"));
  EXPECT_THAT(text(model, {.weights = true}), HasSubstr("stored=2] | Values:\n"
                                                        "    [0.5 2. ]\n"
                                                        "    at the indices\n"
                                                        "    [ 3 10]\n"));

  sparse.mutable_indices()->clear_int64_data();
  EXPECT_THAT(text(model, {.weights = true}), HasSubstr("stored=2] | Values:\n    <"));
}

TEST(ModelText, AWeightThatIsNotThereIsSaid) {
  model::Model model = parse("g (float[2] x) => (float[2] y) <float[2] w = {1,2}> { y = Add(x, w) }");
  onnx::TensorProto& weight = *model.graph().mutable_initializer(0);
  weight.clear_float_data();
  weight.clear_raw_data();
  weight.set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = weight.add_external_data();
  entry->set_key("location");
  entry->set_value("nowhere.bin");
  EXPECT_THAT(text(model, {.weights = true}),
              HasSubstr("Initializer | w [dtype=float32, shape=(2,)] | Values:\n    <"));
}

TEST(Describe, RejectsTooDeeplyNestedBodies) {
  model::Model model = parse("g (bool c) => (bool y) { y = If (c) <then_branch = t () => (bool a) { a = Not(c) }> }");
  onnx::GraphProto* graph = &model.graph();
  for (int i = 0; i < kMaxNesting + 1; ++i) {
    onnx::GraphProto* body = graph->mutable_node(0)->mutable_attribute(0)->mutable_g();
    *body->mutable_node(0) = model.graph().node(0);
    body->mutable_node(0)->mutable_attribute(0)->mutable_g()->clear_node();
    *body->mutable_node(0)->mutable_attribute(0)->mutable_g()->add_node() = onnx::NodeProto();
    graph = body;
  }
  EXPECT_FALSE(describe(model, kAll));
  EXPECT_TRUE(describe(model, {.layers = true}));
}

TEST(ModelText, KnowsTypesThatAreNoTensors) {
  model::Model model = parse("g (seq(float[2]) s) => (float[2] y) { y = my.Foo(s) }");
  model.graph().mutable_output(0)->clear_type();
  const std::string shown = text(model, {});
  EXPECT_THAT(shown, HasSubstr("{s [dtype=sequence(tensor(float32))]}"));
  EXPECT_THAT(shown, HasSubstr("{y}"));
}

}  // namespace
}  // namespace assay::inspect
