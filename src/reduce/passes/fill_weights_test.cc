#include "model/visit_tensors.h"
#include "model/weights.h"
#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

model::Model with_raw_data(model::Model model) {  // the form in which the pass creates weights
  model::visit_tensors(model.proto, [&](onnx::TensorProto& tensor, model::TensorRole) {
    tensor = model::to_proto(tensor.name(), model::read_weight(model, tensor).value());
  });
  return model;
}

void expect_all(test::Propose pass, const std::string& before, const std::string& after) {
  test::expect_all(pass, with_raw_data(test::parse(before)), with_raw_data(test::parse(after)));
}

TEST(FillWeights, KeepTheirShapeIfItMatters) {
  const std::string before = "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1,2,3,4}> { y = MatMul(x, w) }";
  expect_all(fill_with_ones, before,
             "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1,1,1,1}> { y = MatMul(x, w) }");
  expect_all(fill_with_zeros, before,
             "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {0,0,0,0}> { y = MatMul(x, w) }");
}

TEST(FillWeights, AreOneElementIfTheyBroadcast) {
  expect_all(fill_with_ones, "g (float[3,2] x) => (float[3,2] y) <float[2] w = {1,2}> { a = Add(x, w)  y = Mul(w, a) }",
             "g (float[3,2] x) => (float[3,2] y) <float w = {1}> { a = Add(x, w)  y = Mul(w, a) }");
  expect_all(fill_with_ones, "g (float[3,1] x) => (float[3,2] y) <float[2] w = {1,2}> { y = Add(x, w) }",
             "g (float[3,1] x) => (float[3,2] y) <float[2] w = {1,1}> { y = Add(x, w) }");
}

TEST(FillWeights, LeaveSimpleOnesAndIntegersAndShapesAlone) {
  test::expect_nothing(fill_with_ones, R"(g (float[1,1,2,2] x, int64[2] i) => (float[1,1,4,4] y, int64[2] j)
      <float[4] s = {1,1,2,2}, float[1] z = {0}, float[1] o = {1}, int64[2] k = {3,4}> {
      a = Add(x, z)  b = Mul(a, o)  y = Resize(b, , s)  j = Add(i, k) })");
}

// Returns a model with a Loop of so many iterations, or with an unknown number of them. What `body` returns as `again`
// and `t` are the condition and the state.
model::Model with_loop(const std::string& body, const std::string& rounds = "") {
  model::Model model = test::parse(
      "g (bool c, float s0) => (float y, float z) <int64 few = {3}, float step = {0.25}, float limit = {2}, float w = "
      "{3}, float half = {0.5}> { most = Mul (limit, half) z = Mul (s0, w) y = Loop (few, c, s0) <body = b (int64 i, "
      "bool go, float s) => (bool again, float t) { " +
      body + " }> }");
  model.graph().mutable_node(2)->set_input(0, rounds);
  return model;
}

std::vector<std::string> zeroed(const model::Model& model) {
  std::vector<std::string> whats;
  for (const edit::ModelChange& change : test::propose(fill_with_zeros, model)) whats.push_back(change.what);
  return whats;
}

TEST(FillWeights, LeaveAloneWhatTheEndOfALoopDependsOn) {
  const std::string directly = "t = Add (s, step) again = Less (t, most)";
  const std::string in_a_branch =
      "d = Identity (step) u = If (go) <then_branch = t () => (float t_u) { t_u = Add (s, d) }, else_branch = e () => "
      "(float e_u) { e_u = Abs (s) }> t = Identity (u) again = Less (s, most)";
  for (const std::string& body : {directly, in_a_branch}) {
    EXPECT_THAT(zeroed(with_loop(body)), testing::ElementsAre("initializer 'w' set to zeros")) << body;
    EXPECT_THAT(zeroed(with_loop(body, "few")), testing::SizeIs(4)) << body;
  }
  EXPECT_THAT(zeroed(with_loop("t = Add (s, step) again = Identity (go)")), testing::SizeIs(4));
}

TEST(FillWeights, OfConstantNodesAndBodiesToo) {
  expect_all(fill_with_ones, R"(g (float[2,2] x, bool c) => (float[2,2] y) {
      k = Constant <value = float[2,2] {1,2,3,4}> ()  a = MatMul(x, k)
      y = If (c) <then_branch = t () => (float[2,2] t) <float[2,2] w = {5,6,7,8}> { t = MatMul(a, w) },
                  else_branch = e () => (float[2,2] e) { e = Abs(a) }> })",
             R"(g (float[2,2] x, bool c) => (float[2,2] y) {
      k = Constant <value = float[2,2] {1,1,1,1}> ()  a = MatMul(x, k)
      y = If (c) <then_branch = t () => (float[2,2] t) <float[2,2] w = {1,1,1,1}> { t = MatMul(a, w) },
                  else_branch = e () => (float[2,2] e) { e = Abs(a) }> })");
}

TEST(FillWeights, LargestFirstAndNotFiniteOnesLast) {
  model::Model model = with_raw_data(test::parse(R"(g (float[1,2] x) => (float[1,2] y)
      <float[2,2] n = {1,2,3,4}, float[2,1] s = {1,2}, float[2,2] w = {5,6,7,8}> {
      a = MatMul(x, n)  b = MatMul(a, s)  c = MatMul(a, w)  y = Add(b, c) })"));
  const float infinity = std::numeric_limits<float>::infinity();
  model.graph().mutable_initializer(0)->mutable_raw_data()->replace(0, 4, reinterpret_cast<const char*>(&infinity), 4);
  std::vector<std::string> order;
  for (const edit::ModelChange& change : test::propose(fill_with_ones, model)) order.push_back(change.what);
  EXPECT_THAT(order, testing::ElementsAre("initializer 'w' set to ones", "initializer 's' set to ones",
                                          "initializer 'n' set to ones"));
}

}  // namespace
}  // namespace assay::reduce
