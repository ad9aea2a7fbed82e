#include "reduce/candidates/body_model.h"

#include "edit/build_candidate.h"
#include "edit/tensor_facts.h"
#include "reduce/passes/bodies/body_test_support.h"

namespace assay::reduce {
namespace {

using test::parse;
using test::text;

std::vector<BodyModel> find(const model::Model& model) {
  return BodyModel::find(model, edit::known_value_infos(model));
}

// Returns the model after only the nodes with these first outputs were kept in a body, or nothing if they don't fit.
std::optional<model::Model> wrap_kept(const BodyModel& body, const std::vector<std::string>& kept) {
  const edit::Subject subject(body.body(), edit::Subject::Constants::as_nodes);
  const edit::TensorFacts facts(subject, edit::TensorFacts::Inference::onnx);
  EXPECT_TRUE(facts.inference().has_value());
  edit::Selection selection;
  for (const model::NodeId node : subject.nodes()) {
    if (std::ranges::count(kept, subject.view().node(node).output(0)) > 0) selection.nodes.push_back(node);
  }
  for (const model::NodeId node : selection.nodes) {
    for (const model::TensorId tensor : subject.view().outputs(node)) {
      const bool read = std::ranges::any_of(subject.view().consumers(tensor), [&](model::NodeId consumer) {
        return std::ranges::count(selection.nodes, consumer) > 0;
      });
      if (!read || subject.view().is_graph_output(tensor)) selection.outputs.push_back(tensor);
    }
  }
  return body.wrap(edit::build_candidate(subject, selection, facts));
}

model::Model keep(const BodyModel& body, const std::vector<std::string>& kept) {
  const auto wrapped = wrap_kept(body, kept);
  if (!wrapped) {
    ADD_FAILURE() << "cannot be wrapped";
    return {};
  }
  test::expect_valid(*wrapped);
  return *wrapped;
}

void expect_kept(const std::string& before, std::size_t body, const std::vector<std::string>& kept,
                 const std::string& after) {
  const std::vector<BodyModel> bodies = find(parse(before));
  ASSERT_LT(body, bodies.size());
  EXPECT_EQ(text(keep(bodies[body], kept)), text(parse(after)));
}

constexpr const char* kScan = R"(g (float[2] h, float[3,2] x) => (float[2] y, float[3,2] z) <float[2] c = {5,6}> {
    y, v, z = Scan <num_scan_inputs = 1, body = b (float[2] s, float[2] r, float[2] e)
                                           => (float[2] t, float[2] q, float[2] u)
                    <float[2] k = {1,2}> { a = Add(s, e)  q = Mul(r, k)  m = Mul(a, q)  t = Neg(m)  u = Abs(t) }>
              (h, c, x) })";

TEST(BodyModel, ABodyReadsWhatTheNodeHandsInAndWhatItCaptures) {
  const std::vector<BodyModel> bodies = find(parse(R"(g (float[2] x, int64 m, bool c) => (float[2] y) <float k = {2}> {
      w = Abs(x)
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
                            a = Add(s, w)  t = Mul(a, k) }> })"));
  ASSERT_EQ(bodies.size(), 1);
  EXPECT_EQ(bodies[0].what(), "the body of Loop 'y'");
  EXPECT_EQ(text(bodies[0].body()), text(parse(R"(b (int64 i, bool go, float[2] s, float[2] w) => (bool go, float[2] t)
      <float k = {2}> { a = Add(s, w)  t = Mul(a, k) })")));
}

TEST(BodyModel, AllOfAScansBodyGivesTheModelBack) {
  expect_kept(kScan, 0, {"a", "q", "m", "t", "u"}, kScan);
  constexpr const char* kBackward = R"(g (float[3,2] x) => (float[2,3] z) {
    z = Scan <num_scan_inputs = 1, scan_output_axes = [1], scan_output_directions = [1],
              body = b (float[2] e) => (float[2] u) { t = Neg(e)  u = Abs(t) }> (x) })";
  expect_kept(kBackward, 0, {"t", "u"}, kBackward);
}

TEST(BodyModel, WhatAScansBodyLacksIsScanned) {
  expect_kept(kScan, 0, {"m"}, R"(g (float[3,2] a_1, float[3,2] q_1) => (float[3,2] m_1) {
    m_1 = Scan <num_scan_inputs = 2, body = b (float[2] a, float[2] q) => (float[2] m) { m = Mul(a, q) }>
          (a_1, q_1) })");
}

TEST(BodyModel, AStateStaysAStateIfInputAndOutputRemain) {
  expect_kept(kScan, 0, {"a", "q", "m"}, R"(g (float[3,2] x, float[3,2] s_1) => (float[3,2] m_1) <float[2] c = {5,6}> {
    v, m_1 = Scan <num_scan_inputs = 2, body = b (float[2] r, float[2] e, float[2] s) => (float[2] q, float[2] m)
                   <float[2] k = {1,2}> { a = Add(s, e)  q = Mul(r, k)  m = Mul(a, q) }> (c, x, s_1) })");
}

TEST(BodyModel, AStateThatIsNoneAnyMoreKeepsItsConstant) {
  expect_kept(R"(g (float[2,3] x) => (float[2] y) <float[2] c = {5,6}> {
    y = Scan <num_scan_inputs = 1, scan_input_axes = [1], body = b (float[2] s, float[2] e) => (float[2] t) {
                 m = Mul(s, e)  t = Neg(m) }> (c, x) })",
              0, {"m"}, R"(g (float[2,3] x) => (float[3,2] m_1) {
    m_1 = Scan <num_scan_inputs = 1, scan_input_axes = [1], body = b (float[2] e) => (float[2] m)
                <float[2] s = {5,6}> { m = Mul(s, e) }> (x) })");
}

TEST(BodyModel, ALoopsBodyReadsWhatItLacksFromTheGraphAround) {
  expect_kept(R"(g (float[2] x, int64 m, bool c) => (float[2] y, float[n,2] z) {
      y, z = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool again, float[2] t, float[2] u) {
                              again = Identity(go)  a = Abs(s)  d = Exp(a)  t = Neg(d)  u = Mul(d, s) }> })",
              0, {"d", "u"}, R"(g (float[2] x, int64 m, bool c, float[2] a) => (float[n,2] z) {
      z = Loop (m, c) <body = b (int64 i, bool go) => (bool go, float[2] u) { d = Exp(a)  u = Mul(d, x) }> })");
}

// ONNX has no such outputs: what each iteration computes is stacked.
TEST(BodyModel, LoopsAndScansReturnNoSequences) {
  const std::vector<BodyModel> loop = find(parse(R"(g (float[2] x, int64 m, bool c) => (float[2] y) <int64 k = {0}> {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
                            q = SequenceConstruct(s)  t = SequenceAt(q, k) }> })"));
  ASSERT_EQ(loop.size(), 1);
  EXPECT_FALSE(wrap_kept(loop[0], {"q"}));
  const std::vector<BodyModel> scan = find(parse(R"(g (float[3,2] x) => (float[3,2] y) <int64 k = {0}> {
      y = Scan <num_scan_inputs = 1, body = b (float[2] e) => (float[2] t) {
                  q = SequenceConstruct(e)  t = SequenceAt(q, k) }> (x) })"));
  ASSERT_EQ(scan.size(), 1);
  EXPECT_FALSE(wrap_kept(scan[0], {"q"}));
}

TEST(BodyModel, TheOtherBranchOfAnIfGivesAConstant) {
  expect_kept(R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { a = Abs(x)  d = Exp(a)  t = Neg(d) },
                  else_branch = e () => (float[2] e) { f = Sin(x)  e = Cos(f) }> })",
              0, {"d"}, R"(g (bool c, float[2] a) => (float[2] d_1) {
      d_1 = If (c) <then_branch = t () => (float[2] d) { d = Exp(a) },
                    else_branch = e () => (float[2] d_2) { d_2 = Constant <value = float[2] {0,0}> () }> })");
}

class BodyModelRun : public test::EngineTest {};

TEST_F(BodyModelRun, AReducedBodyRuns) {
  const model::Model model = parse(kScan);
  const BodyModel body = find(model).front();
  tensor::NamedTensors feeds;
  const auto value = [](tensor::Shape shape, const std::vector<float>& values) {
    return tensor::Tensor::of<float>(tensor::ElementType::float32, std::move(shape), values);
  };
  feeds.set("h", value({2}, {1, 2}));
  feeds.set("x", value({3, 2}, {1, -2, 3, 4, 5, 6}));
  feeds.set("a_1", value({3, 2}, {1, -2, 3, 4, 5, 6}));
  feeds.set("q_1", value({3, 2}, {2, 2, 2, 2, 2, 3}));
  expect_same_outputs(model, keep(body, {"a", "q", "m", "t", "u"}), feeds, 2);
  const tensor::NamedTensors outputs = run(keep(body, {"m"}), feeds);
  ASSERT_NE(outputs.find("m_1"), nullptr);
  EXPECT_TRUE(tensor::identical(*outputs.find("m_1"), value({3, 2}, {2, -4, 6, 8, 10, 18})));
}

}  // namespace
}  // namespace assay::reduce
