#include "lint/lint_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/temp_dir.h"
#include "lint/report_json.h"
#include "lint/report_text.h"
#include "model/load.h"
#include "model/weights.h"
#include "tests/support/paths.h"

namespace assay::lint {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

using Lines = std::vector<testing::Matcher<std::string>>;

model::Model parse(const std::string& body) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\n" + body).value();
}

// Returns a line for each finding: "E checker [0, 2] message".
std::vector<std::string> lines(const Report& report) {
  std::vector<std::string> all;
  for (const Finding& finding : report.findings) {
    constexpr std::array sources = {"loader", "checker", "graph", "engine"};
    std::string line = finding.severity == Severity::exception ? "E " : "W ";
    line += std::string(sources.at(static_cast<std::size_t>(finding.source))) + " [";
    for (const model::NodeId id : finding.nodes) line += (line.ends_with('[') ? "" : ", ") + std::to_string(id);
    all.push_back(line + "] " + finding.message);
  }
  return all;
}

std::vector<std::string> lint_lines(const model::Model& model) {
  base::SilentLog log;
  return lines(lint_model(model, nullptr, log).value());
}

TEST(Lint, AWeightInABodyThatHidesATensorIsAWarning) {
  const auto found = [](const std::string& nodes) {
    return lint_lines(parse("g (bool c, float[2] x) => (float[2] y) <float[2] w = {1, 2}> {\n" + nodes + "}"));
  };
  EXPECT_THAT(
      found("u = If (c) <then_branch = t () => (float[2] b) <float[2] w = {3, 4}> { b = Add(x, w) },"
            "          else_branch = e () => (float[2] z) { z = Neg(x) }>\n"
            "y = Add(u, w)\n"),
      ElementsAre("W graph [0] In a body, the graph 't': The weight 'w' hides a tensor of the same name around the "
                  "body. Engines may take either"));
  EXPECT_THAT(found("u = If (c) <then_branch = t () => (float[2] b) <float[2] v = {3, 4}> { b = Add(x, v) },"
                    "          else_branch = e () => (float[2] z) { z = Neg(x) }>\n"
                    "v = Add(u, w)\n"
                    "y = Neg(v)\n"),
              IsEmpty())
      << "what a later node computes isn't visible in the body";
}

TEST(Lint, ASoundModelHasNoFindings) {
  EXPECT_THAT(lint_lines(parse("g (float[2] x) => (float[2] y) { y = Relu(x) }")), IsEmpty());
  EXPECT_THAT(lint_lines(model::load(test::models_dir() / "mnist_quantized.onnx").value()), IsEmpty());
}

// ONNX Runtime warns of them, too, and so does Polygraphy. Version 3 demands that initializers are inputs.
TEST(Lint, InitializersThatAreInputsAreNoConstants) {
  const auto of_version = [](const char* version) {
    return lint_lines(model::parse_text(std::string("<ir_version: ") + version + R"(, opset_import: ["" : 9]>
        g (float[2] x, float[2] w = {1, 2}) => (float[2] y) { y = Add(x, w) })")
                          .value());
  };
  EXPECT_THAT(
      of_version("4"),
      ElementsAre("W graph [] These initializers are also inputs, so engines can't treat them as constants: 'w'"));
  EXPECT_THAT(of_version("3"), IsEmpty());
  EXPECT_THAT(lint_lines(model::load(test::models_dir() / "scan_1.onnx").value()),
              ElementsAre(AllOf(HasSubstr("also inputs"), HasSubstr("and 15 more"))));
}

// The values of the weight are a hole.
TEST(Lint, AFileOfMoreThan2GiBIsAnError) {
  const auto field = [](char tag, std::uint64_t length) {
    std::string bytes(1, tag);
    for (; length > 0x7f; length >>= 7) bytes += static_cast<char>(length | 0x80);
    return bytes + static_cast<char>(length);
  };
  constexpr std::uint64_t kValues = std::uint64_t{1} << 31;
  model::Model model = parse("g (int64[1] i) => (uint8[1] y) { y = Gather(w, i) }");
  onnx::TensorProto weight;
  weight.set_name("w");
  weight.set_data_type(onnx::TensorProto::UINT8);
  weight.add_dims(static_cast<std::int64_t>(kValues));
  const std::string tensor = weight.SerializeAsString() + field('\x4a', kValues);
  const std::string graph = model.graph().SerializeAsString() + field('\x2a', tensor.size() + kValues) + tensor;
  model.proto.clear_graph();
  const std::string head = model.proto.SerializeAsString() + field('\x3a', graph.size() + kValues) + graph;
  const base::TempDir folder = base::TempDir::create().value();
  const std::filesystem::path path = folder.path() / "m.onnx";
  ASSERT_TRUE(base::write_file(path, head));
  std::filesystem::resize_file(path, head.size() + kValues);
  EXPECT_THAT(lint_lines(model::load(path).value()),
              ElementsAre(HasSubstr("E loader [] The file has 2.0 GiB, but an ONNX file can hold at most 2 GiB")));
}

TEST(Lint, AllIndependentDefectsAreNamed) {
  const model::Model model = parse(
      "g (float[2,4] x, int64[2,4] i) => (float[2,3] a, float[2,4] b, float[2,4] c, float[8] d, float[2,4] e, "
      "float[2,4] f)\n"
      "<float[5,3] w = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}> {\n"
      "  a = MatMul(x, w)\n"        // 0: shapes
      "  b = Add(x, i)\n"           // 1: types
      "  c = Relu<alpha = 2>(x)\n"  // 2: an attribute that it doesn't have
      "  d = Concat(x, x)\n"        // 3: an attribute is missing
      "  e = Nonsense(x)\n"         // 4: unknown
      "  f = other.Op(x) }");       // 5: operator set not imported
  EXPECT_THAT(
      lint_lines(model),
      IsSupersetOf(Lines{
          AllOf(HasSubstr("E checker [0]"), HasSubstr("Incompatible dimensions")),
          AllOf(HasSubstr("E checker [1]"), HasSubstr("have to have the same type, but are float32 and int64")),
          AllOf(HasSubstr("E checker [2]"), HasSubstr("alpha")), AllOf(HasSubstr("E checker [3]"), HasSubstr("axis")),
          AllOf(HasSubstr("E checker [4]"), HasSubstr("Nonsense")),
          HasSubstr("W checker [5] The model imports no operator set for the domain 'other'")}));
}

TEST(Lint, CyclesMissingTensorsAndTheOrder) {
  EXPECT_THAT(lint_lines(parse("g (float[2] x) => (float[2] y, float[2] z, float[2] v) {\n"
                               "  a = Add(x, b)  b = Relu(a)  y = Neg(b)  z = Add(z, x)  u = Mul(x, nowhere)  v = "
                               "Neg(late)  late = Abs(x) }")),
              IsSupersetOf(Lines{
                  HasSubstr("E checker [0, 1] 2 nodes depend on their own output"),
                  HasSubstr("E checker [3] A node depends on its own output"),
                  HasSubstr("E checker [4] It reads the tensor 'nowhere', which nothing defines"),
                  HasSubstr("E checker [5] It comes before Abs 'late' (node #6), which computes its input 'late'"),
                  HasSubstr("W graph [4] No output depends on this node")}));
}

TEST(Lint, NamesThatAreUsedTwice) {
  model::Model model = parse(
      "g (float[2] x, float[2] unused) => (float[2] y) <float[2] w = {1, 2}, float[2] spare = {1, 2}> {\n"
      "  [n] t = Add(x, w)  [n] t = Neg(x)  [m] w = Neg(x)  y = Relu(t) }");
  EXPECT_THAT(
      lint_lines(model),
      IsSupersetOf(Lines{
          HasSubstr("E graph [0, 1] 2 nodes have the name 'n'"),
          HasSubstr("E checker [0, 1] The tensor 't' is defined by Add 'n' (node #0) and again by Neg 'n' (node #1)"),
          HasSubstr("E checker [2] The tensor 'w' is defined as an initializer and again by Neg 'm' (node #2)"),
          HasSubstr("W graph [] No output depends on the input 'unused'"),
          HasSubstr("W graph [] No output depends on the initializer 'spare'")}));
}

TEST(Lint, DeclaredTypesAreComparedWithInferredOnes) {
  EXPECT_THAT(
      lint_lines(parse("g (float[2,3] x) => (int64[2,3] y, float[5] z) { y = Relu(x)  z = Neg(x) }")),
      IsSupersetOf(Lines{
          HasSubstr("E checker [0] The tensor 'y' is declared as int64, but the node computes float32"),
          HasSubstr("W checker [1] The tensor 'z' is declared with the shape (5), but the node computes (2, 3)")}));
}

// ONNX's checker says nothing about such an output, and nothing useful about sizes.
TEST(Lint, DeclaredTypesAndSizesHaveToExist) {
  model::Model model = parse(
      "g (float[2] x) => (float[2] y, float[2] z, seq(float[2]) s) <float[2] a> {\n"
      "  a = Abs(x)  y = Relu(a)  z = Neg(a)  s = SequenceConstruct(a) }");
  const auto type_of = [](onnx::ValueInfoProto& value) -> onnx::TypeProto::Tensor& {
    return *value.mutable_type()->mutable_tensor_type();
  };
  onnx::GraphProto& graph = model.graph();
  type_of(*graph.mutable_input(0)).mutable_shape()->mutable_dim(0)->set_dim_value(-1);
  type_of(*graph.mutable_output(0)).set_elem_type(77);
  graph.mutable_output(2)
      ->mutable_type()
      ->mutable_sequence_type()
      ->mutable_elem_type()
      ->mutable_tensor_type()
      ->set_elem_type(-3);
  type_of(*graph.mutable_value_info(0)).set_elem_type(0);
  EXPECT_THAT(lint_lines(model),
              IsSupersetOf(Lines{
                  HasSubstr("W checker [] The input 'x' is declared with the negative size -1 at axis 0"),
                  HasSubstr("E checker [] The output 'y' is declared with the element type 77, which doesn't exist"),
                  HasSubstr("E checker [] The output 's' is declared with the element type -3, which doesn't exist"),
                  HasSubstr("E checker [] The tensor 'a' is declared without an element type")}));
}

TEST(Lint, DeclaredTypesAreCheckedInBodies) {
  model::Model model = parse(
      "g (bool c) => (float[2] y) {\n"
      "  y = If (c) <then_branch = t () => (float[2] t) { t = Constant<value = float[2] {1, 2}>() },\n"
      "              else_branch = e () => (float[2] e) { e = Constant<value = float[2] {3, 4}>() }> }");
  model.graph()
      .mutable_node(0)
      ->mutable_attribute(0)
      ->mutable_g()
      ->mutable_output(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(77);
  EXPECT_THAT(lint_lines(model),
              Contains(HasSubstr("E checker [0] In a body, the graph 't': The output 't' is declared "
                                 "with the element type 77, which doesn't exist")));
}

TEST(Lint, BodiesAreCheckedNodeByNode) {
  const model::Model model = parse(
      "g (float[2] x, bool c) => (float[2] y) { y = If (c) <\n"
      "  then_branch = then () => (float[2] p) { q = Relu<one = 1>(x)  p = Neg<two = 2>(q) },\n"
      "  else_branch = other () => (float[2] r) { r = Add(x, nowhere) }> }");
  EXPECT_THAT(lint_lines(model),
              IsSupersetOf(Lines{AllOf(HasSubstr("E checker [0] In the body 'then'"), HasSubstr("one")),
                                 AllOf(HasSubstr("E checker [0] In the body 'then'"), HasSubstr("two")),
                                 AllOf(HasSubstr("E checker [0] In a body"), HasSubstr("'nowhere'"))}));
}

TEST(Lint, DomainsThatAreNotImportedAreFoundInBodies) {
  const model::Model model = parse(
      "g (float[2] x, bool c) => (float[2] y) { a = my.One(x)  y = If (c) <\n"
      "  then_branch = then () => (float[2] p) { p = my.Two(a) },\n"
      "  else_branch = other () => (float[2] r) { r = ai.onnx.ml.Normalizer(a) }> }");
  EXPECT_THAT(
      lint_lines(model),
      IsSupersetOf(Lines{HasSubstr("W checker [0, 1] The model imports no operator set for the domain 'my'"),
                         HasSubstr("E checker [1] The model imports no operator set for the domain 'ai.onnx.ml'")}));
  const model::Model custom = parse(
      "g (float[2] x, bool c) => (float[2] y) { y = If (c) <\n"
      "  then_branch = then () => (float[2] p) { p = my.Two(x) },\n"
      "  else_branch = other () => (float[2] r) { r = Neg(x) }> }");
  EXPECT_THAT(lint_lines(custom), Not(Contains(testing::StartsWith("E"))));
}

TEST(Lint, OutputsWithoutAShapeAreAWarning) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  model.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  EXPECT_THAT(lint_lines(model), testing::ElementsAre("W checker [] The output 'y' declares no shape"));
}

TEST(Lint, AModelWithoutOutputsHasOneFinding) {
  EXPECT_THAT(lint_lines(parse("g (float[2] x) => () { y = Relu(x) }")),
              ElementsAre("W graph [] The model has no outputs, so most engines refuse to run it"));
}

TEST(Lint, SparseInitializersAreNoDefect) {
  model::Model model = parse("g (float[2,3] x) => (float[2,4] y) { y = MatMul(x, s) }");
  onnx::SparseTensorProto& sparse = *model.graph().add_sparse_initializer();
  *sparse.mutable_values() = model::to_proto("s", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2}));
  *sparse.mutable_indices() =
      model::to_proto("", tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {2}, {3, 7}));
  sparse.add_dims(3);
  sparse.add_dims(4);
  EXPECT_THAT(lint_lines(model), IsEmpty());
  onnx::ValueInfoProto& input = *model.graph().add_input();  // whose default it is
  input = parse("g (float[3,4] s) => (float[3,4] y) { y = Relu(s) }").graph().input(0);
  EXPECT_THAT(lint_lines(model), ElementsAre(HasSubstr("also inputs")));
  *model.graph().add_sparse_initializer() = sparse;
  EXPECT_THAT(lint_lines(model), Contains(HasSubstr("'s' is defined as an input and again as a sparse initializer")));
  model.graph().mutable_sparse_initializer()->RemoveLast();
  model.graph().mutable_input()->RemoveLast();
  model.graph().mutable_sparse_initializer(0)->set_dims(0, 5);
  EXPECT_THAT(lint_lines(model), Contains(HasSubstr("Incompatible dimensions")));
}

TEST(Lint, TheHeader) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  model.proto.clear_opset_import();
  model.graph().set_name("");
  model.proto.set_ir_version(0);
  EXPECT_THAT(lint_lines(model), IsSupersetOf(Lines{HasSubstr("no IR version"), HasSubstr("The graph has no name"),
                                                    HasSubstr("no operator set for the domain 'ai.onnx'")}));
}

TEST(Lint, AnOperatorSetThatIsImportedTwiceIsAWarning) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  model.proto.add_opset_import()->set_version(17);
  EXPECT_THAT(lint_lines(model), ElementsAre("W graph [] The operator set 'ai.onnx' is imported twice"));
}

TEST(Lint, TheReportHasPolygraphysForm) {
  model::Model model =
      parse("g (float[2] x) => (float[2] y) { y = Relu<alpha = 2>(x)  [polygraphy_unnamed_node_0] z = Neg(x) }");
  base::SilentLog log;
  Report report = lint_model(model, nullptr, log).value();
  report.nodes[1].engine = CheckResult::passes;
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json.at("summary").at("failing"), nlohmann::json({"polygraphy_unnamed_node_0_0"}));
  EXPECT_EQ(json.at("summary").at("passing"), nlohmann::json({"polygraphy_unnamed_node_0"}));
  ASSERT_EQ(json.at("lint_entries").size(), 2U);
  EXPECT_EQ(json.at("lint_entries")[0].at("level"), "exception");
  EXPECT_EQ(json.at("lint_entries")[0].at("source"), "onnx_checker");
  EXPECT_EQ(json.at("lint_entries")[0].at("nodes"), nlohmann::json({"polygraphy_unnamed_node_0_0"}));
  EXPECT_EQ(json.at("lint_entries")[1].at("level"), "warning");
  EXPECT_EQ(json.at("lint_entries")[1].at("source"), "onnx_graphsurgeon");
}

TEST(Lint, TheVerdictsOfCheckerAndEngineAreSeparate) {
  base::SilentLog log;
  Report report = lint_model(parse("g (float[2] x) => (float[2] y) { y = Relu<alpha = 2>(x) }"), nullptr, log).value();
  report.nodes[0].engine = CheckResult::passes;
  EXPECT_THAT(to_text(report), HasSubstr("1 error, 0 warnings; 1 of 1 node rejected\n\n"
                                         "    node                checker  ONNX Runtime\n"
                                         "    Relu 'y' (node #0)  fails    passes\n"));
}

}  // namespace
}  // namespace assay::lint
