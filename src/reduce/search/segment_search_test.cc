// Two culprits, a Sin and a Cos, fail only together: the output of one must reach the other.
#include "reduce/search/segment_search.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "edit/model_texts.h"
#include "edit/test_models.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"

namespace assay::reduce {
namespace {

using edit::test::parse;

// Nodes in execution order.
bool reaches(const onnx::GraphProto& graph, const std::string& first, const std::string& last) {
  std::set<std::string> reached;
  for (const onnx::NodeProto& node : graph.node()) {
    const bool reads =
        std::ranges::any_of(node.input(), [&](const std::string& name) { return reached.contains(name); });
    if (reads && node.op_type() == last) return true;
    if (reads || node.op_type() == first) reached.insert(node.output().begin(), node.output().end());
  }
  return false;
}

Verdict judge(const model::Model& model) {
  edit::test::expect_valid(model);
  const bool fails = reaches(model.graph(), "Sin", "Cos");
  return {.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes,
          .text = fails ? "exit status 1" : "exit status 0"};
}

struct Outcome {
  std::vector<std::string> types;
  int checks = 0;
};

Outcome search(const model::Model& model) {
  static const tensor::NamedTensors values;
  const auto start = SegmentSearch::prepare(std::make_shared<const model::Model>(model), values);
  Outcome outcome;
  if (!start) return outcome;
  SegmentSearch search(start);
  while (const auto proposal = search.next()) {
    ++outcome.checks;
    search.learn(judge(*std::get<SharedModel>(proposal->draft)));
  }
  for (const onnx::NodeProto& node : search.model()->graph().node()) outcome.types.push_back(node.op_type());
  return outcome;
}

TEST(SegmentSearch, ReplacesAllBetweenTheEndsAtOnce) {
  const Outcome outcome = search(parse(R"(g (float[2,6] x) => (float[2,6] y) {
      a = Sin(x)  b = Relu(a)  c = Neg(b)  d = Add(b, c)  y = Cos(d) })"));
  EXPECT_THAT(outcome.types, testing::ElementsAre("Sin", "Cos"));
  EXPECT_EQ(outcome.checks, 1);
}

TEST(SegmentSearch, ReplacesAPathThatChangesTheShapeByOneNode) {
  const Outcome outcome = search(parse(R"(g (float[2,6] x) => (float[3,4] y) <int64[2] s = {3, 4}> {
      a = Sin(x)  b = Relu(a)  c = Reshape(b, s)  d = Relu(c)  e = Exp(d)  y = Cos(e) })"));
  EXPECT_THAT(outcome.types, testing::ElementsAre("Sin", "Reshape", "Cos"));
  EXPECT_EQ(outcome.checks, 1);
}

TEST(SegmentSearch, TakesWhatOnlyFeedsASegmentWithIt) {
  const Outcome outcome = search(parse(R"(g (float[2] x, float[2] z) => (float[2] y) {
      a = Sin(x)  f = Abs(z)  h = Exp(f)  b = Relu(a)  c = Add(b, h)  d = Relu(c)  y = Cos(d) })"));
  EXPECT_THAT(outcome.types, testing::ElementsAre("Sin", "Cos"));
}

TEST(SegmentSearch, KeepsASegmentThatIsNeeded) {
  // Neither the first nor the last node is needed.
  std::string text = "g (float[2] x) => (float[2] y) { t0 = Relu(x)\n";
  for (int i = 1; i < 40; ++i) {
    const std::string type = i == 11 ? "Sin" : i == 28 ? "Cos" : "Relu";
    text += "t" + std::to_string(i) + " = " + type + "(t" + std::to_string(i - 1) + ")\n";
  }
  const Outcome outcome = search(parse(text + "y = Relu(t39) }"));
  EXPECT_THAT(outcome.types, testing::ElementsAre("Relu", "Sin", "Cos", "Relu"));
  EXPECT_LE(outcome.checks, 30);
}

TEST(SegmentSearch, EndsSoonIfNothingCanBeRemoved) {
  const model::Model model = edit::test::chain(40);
  static const tensor::NamedTensors values;
  SegmentSearch search(SegmentSearch::prepare(std::make_shared<const model::Model>(model), values));
  int checks = 0;
  while (search.next()) {
    search.learn({.kind = Verdict::Kind::passes, .text = {}});
    ++checks;
  }
  EXPECT_LE(checks, 8);
  EXPECT_EQ(search.model()->graph().node_size(), 40);
}

// A chain of operators that ONNX doesn't know, whose tensors have the sizes that `declare` gives them, if any.
model::Model custom_chain(int length, const std::function<void(onnx::TensorShapeProto&, int)>& declare) {
  model::Model model = edit::test::chain(length);
  onnx::OperatorSetIdProto& opset = *model.proto.add_opset_import();
  opset.set_domain("some.where");
  opset.set_version(1);
  for (onnx::NodeProto& node : *model.graph().mutable_node()) node.set_domain("some.where");
  for (int i = 1; i < length && declare; ++i) {
    onnx::ValueInfoProto& value = *model.graph().add_value_info();
    value.set_name("t" + std::to_string(i));
    value.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    declare(*value.mutable_type()->mutable_tensor_type()->mutable_shape(), i);
  }
  return model;
}

std::shared_ptr<const SegmentSearch::Start> prepare(model::Model model) {
  static const tensor::NamedTensors values;
  return SegmentSearch::prepare(std::make_shared<const model::Model>(std::move(model)), values);
}

TEST(SegmentSearch, TriesNothingOnAPathOfUnknownTypes) {
  EXPECT_EQ(prepare(custom_chain(2000, {})), nullptr);
  EXPECT_EQ(prepare(custom_chain(2000, [](onnx::TensorShapeProto& shape, int) { shape.add_dim(); })), nullptr);
}

TEST(SegmentSearch, JoinsSegmentsAtTensorsOfUnknownSize) {
  const auto start = prepare(custom_chain(12, [](onnx::TensorShapeProto& shape, int i) {
    onnx::TensorShapeProto::Dimension& size = *shape.add_dim();
    if (i % 3 == 0) size.set_dim_value(2);
  }));
  ASSERT_NE(start, nullptr);
  std::vector<std::string> ends;
  for (const PathSegment& segment : start->segments) {
    ends.push_back(segment.from + " " + segment.to);
    EXPECT_EQ(segment.nodes.size(), 3U);
  }
  EXPECT_THAT(ends, testing::ElementsAre("t3 t6", "t6 t9"));
}

// Each tensor has a size of its own name, so no node can replace any of them.
TEST(SegmentSearch, GivesUpSoonIfNoCandidateCanBeBuilt) {
  const auto start = prepare(custom_chain(
      2000, [](onnx::TensorShapeProto& shape, int i) { shape.add_dim()->set_dim_param("n" + std::to_string(i)); }));
  ASSERT_NE(start, nullptr);
  SegmentSearch search(start);
  EXPECT_FALSE(search.next().has_value());
  EXPECT_GT(search.skipped(), 0);
  EXPECT_LE(search.skipped(), 100);
}

// 60 nodes between the culprits, some of which change the shape, and 20 nodes before and after.
model::Model far_apart() {
  std::string text;
  int number = 0;
  const auto add = [&](const std::string& type, const std::string& more = "") {
    text += fmt::format("t{} = {}(t{}{})\n", number + 1, type, number, more);
    ++number;
  };
  for (int i = 0; i < 20; ++i) add("Relu");
  add("Sin");
  for (int i = 0; i < 10; ++i) {
    add("Tanh");
    add("Transpose");
    const int from = number;
    add("Abs");
    add("Exp");
    add("Add", ", t" + std::to_string(from));
    add("Reshape", i % 2 == 0 ? ", flat" : ", square");
  }
  add("Reshape", ", high");
  add("Cos");
  for (int i = 0; i < 20; ++i) add("Relu");
  return parse("g (float[4,9] t0) => (float[2,3,6] t" + std::to_string(number) +
               ") <int64[1] flat = {36}, int64[2] square = {4, 9}, int64[3] high = {2, 3, 6}> {" + text + "}");
}

TEST(MinimalWithFarCulprits, LeavesNothingBetweenThem) {
  for (const int jobs : {1, 4}) {
    test::FunctionJudges judges(jobs, judge);
    const auto result = test::reduce(far_apart(), {}, test::bare_parts(judges));
    ASSERT_TRUE(result.has_value()) << result.error().message();
    std::vector<std::string> types;
    for (const onnx::NodeProto& node : result->model->graph().node()) types.push_back(node.op_type());
    EXPECT_THAT(types, testing::ElementsAre("Sin", "Cos"));
    if (jobs > 1) continue;  // some checks are started ahead in vain
    EXPECT_LE(judges.started, 40);
  }
}

}  // namespace
}  // namespace assay::reduce
