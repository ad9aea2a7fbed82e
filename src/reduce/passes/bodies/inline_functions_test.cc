#include <set>

#include "model/onnx_facts.h"
#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/body_test_support.h"

namespace assay::reduce {
namespace {

using test::apply;
using test::parse;
using test::text;

constexpr const char* kHeader = R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])";

constexpr const char* kCalls = R"(g (float[2] x) => (float[2] y) {
    a = own.scale <by = 2.0> (x)
    b = own.twice (a)
    y = own.twice (b) }
  <domain: "own", opset_import: ["" : 17]>
  scale <by> (u) => (v) { k = Constant <value_float: float = @by> ()  t = Abs(u)  v = Mul(t, k) }
  <domain: "own", opset_import: ["" : 17, "own" : 1]>
  twice (u) => (v) { t = own.scale <by = 3.0> (u)  v = own.scale <by = 4.0> (t) })";

std::string graph_text(const model::Model& model) {
  return onnx::ProtoToString(model.graph());
}

TEST(InlineFunctions, ACallBecomesTheBodyWithItsAttributes) {
  const model::Model model = apply(inline_functions, parse(kCalls, kHeader), {0}, 1);
  const std::string text = graph_text(model);
  EXPECT_THAT(text, testing::HasSubstr("Constant <value_float: float = 2> ()"));
  EXPECT_THAT(text, testing::HasSubstr("a = Mul ("));
  EXPECT_THAT(text, testing::HasSubstr("= Abs (x)"));
}

TEST(InlineFunctions, AttributesThatTheCallDoesNotSetHaveTheFunctionsDefaults) {
  const model::Model model = parse(R"(g (float[2] x) => (float[2] y) { y = own.leaky (x) }
    <domain: "own", opset_import: ["" : 17]>
    leaky <slope: float = 0.25> (p) => (q) { q = LeakyRelu <alpha: float = @slope> (p) })",
                                   R"(ir_version: 9, opset_import: ["" : 17, "own" : 1])");
  EXPECT_THAT(graph_text(apply(inline_functions, model, {0}, 1)),
              testing::HasSubstr("LeakyRelu <alpha: float = 0.25> (x)"));
}

TEST(InlineFunctions, CallsInAFunctionStayCalls) {
  const model::Model model = apply(inline_functions, parse(kCalls, kHeader), {1}, 1);
  EXPECT_THAT(graph_text(model), testing::HasSubstr("b = own.scale <by: float = 4> ("));
}

TEST(InlineFunctions, NodesOfTwoCallsHaveDifferentNames) {
  const model::Model model = parse(R"(g (float[2] x) => (float[2] y) { a = own.f (x)  y = own.f (a) }
    <domain: "own", opset_import: ["" : 17]> f (u) => (v) { [abs] t = Abs(u)  [neg] v = Neg(t) })",
                                   kHeader);
  const model::Model opened = apply(inline_functions, model, {0, 1}, 2);
  std::set<std::string> names;
  for (const onnx::NodeProto& node : opened.graph().node()) {
    EXPECT_FALSE(node.name().empty());
    EXPECT_TRUE(names.insert(node.name()).second) << node.name();
  }
  EXPECT_EQ(names.size(), 4U);
}

TEST(InlineFunctions, AnySubsetIsValid) {
  const model::Model model = parse(kCalls, kHeader);
  EXPECT_EQ(test::propose(inline_functions, model).size(), 3);
  test::expect_any_subset_valid(inline_functions, model);
}

// Relu is the same in opsets 14 and 17, ReduceMean in opsets 13 and 17, but not in 18.
TEST(InlineFunctions, AFunctionOfAnotherOpsetIsLeftAloneIfAnOperatorDiffers) {
  const auto model = [](const char* versions, const char* nodes) {
    return parse(R"(g (float[2] x) => (float[2] y) { y = own.f (x) }
      <domain: "own", opset_import: [)" +
                     std::string(versions) + "]> f (u) => (v) { " + nodes + " }",
                 kHeader);
  };
  EXPECT_TRUE(test::propose(inline_functions, model(R"("" : 18)", "v = ReduceMean(u)")).empty());
  EXPECT_TRUE(test::propose(inline_functions, model(R"("" : 17, "other" : 1)", "v = other.Op(u)")).size() == 1);
  EXPECT_THAT(graph_text(apply(inline_functions, model(R"("" : 13)", "v = ReduceMean(u)"), {0}, 1)),
              testing::HasSubstr("y = ReduceMean (x)"));
  EXPECT_THAT(graph_text(apply(inline_functions, model(R"("" : 14)", "v = Relu(u)"), {0}, 1)),
              testing::HasSubstr("y = Relu (x)"));
}

TEST(InlineFunctions, TheModelImportsWhatOnlyTheFunctionImported) {
  const model::Model inlined = apply(inline_functions,
                                     parse(R"(g (float[2] x) => (float[2] y) { y = own.f (x) }
      <domain: "own", opset_import: ["" : 17, "other" : 3]> f (u) => (v) { t = other.g (u)  v = Abs(t) }
      <domain: "other", opset_import: ["" : 17]> g (u) => (v) { v = Neg(u) })",
                                           kHeader),
                                     {0}, 1);
  EXPECT_EQ(model::opset_version(inlined.proto, "other"), 3);
  EXPECT_THAT(graph_text(inlined), testing::HasSubstr("= other.g (x)"));
}

TEST(InlineFunctions, ACallInABodyIsReplacedThere) {
  const model::Model model = apply(inline_functions,
                                   parse(R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = own.f (x) },
                  else_branch = e () => (float[2] e) { e = Exp(x) }> }
      <domain: "own", opset_import: ["" : 17]> f (u) => (v) { v = Abs(u) })",
                                         kHeader),
                                   {0}, 1);
  EXPECT_THAT(graph_text(model), testing::HasSubstr("t = Abs (x)"));
}

TEST(InlineFunctions, AnOptionalInputThatIsLeftOutStaysSo) {
  const model::Model model = apply(inline_functions,
                                   parse(R"(g (float[2] x) => (float[2] y) { y = own.f (x) }
      <domain: "own", opset_import: ["" : 17]> f (u, low) => (v) { v = Clip(u, low) })",
                                         kHeader),
                                   {0}, 1);
  EXPECT_THAT(graph_text(model), testing::HasSubstr("y = Clip (x"));
}

class InlineFunctionsRun : public test::EngineTest {};

TEST_F(InlineFunctionsRun, ComputesTheSame) {
  const model::Model model = parse(kCalls, kHeader);
  tensor::NamedTensors feeds;
  feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {-1.5F, 2.25F}));
  model::Model opened = model;
  for (int round = 0; round < 3; ++round) {
    if (test::propose(inline_functions, opened).empty()) break;
    opened = apply(inline_functions, opened, {0}, 1);
    expect_same_outputs(model, opened, feeds);
  }
}

}  // namespace
}  // namespace assay::reduce
