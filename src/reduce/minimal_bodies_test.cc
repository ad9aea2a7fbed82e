// Culprits that fail only inside the body of a node.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "edit/model_texts.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"

namespace assay::reduce {
namespace {

bool has_both(const onnx::GraphProto& body) {
  const auto has = [&](const char* op) {
    return std::ranges::any_of(body.node(), [&](const onnx::NodeProto& node) { return node.op_type() == op; });
  };
  return has("Sin") && has("Cos");
}

// Fails if a node of this type has both Sin and Cos in one of its bodies. Expects every model to be valid.
Verdict judge(const model::Model& model, const std::string& type) {
  bool fails = false;
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.op_type() != type) continue;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      fails = fails || (attribute.has_g() && has_both(attribute.g()));
    }
  }
  edit::test::expect_valid(model);
  return {.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes,
          .text = fails ? "exit status 1" : "exit status 0"};
}

// Returns 60 nodes from `from` to t59; number 20 is a Sin, number 40 a Cos.
std::string chain(const std::string& from) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    const std::string op = i == 20 ? "Sin" : i == 40 ? "Cos" : i % 2 == 0 ? "Relu" : "Tanh";
    text += "t" + std::to_string(i) + " = " + op + "(" + (i == 0 ? from : "t" + std::to_string(i - 1)) + ")\n";
  }
  return text;
}

struct Case {
  std::string type;
  std::string text;
  std::int64_t left;  // nodes that remain: in the body, the node around it, what the other branch needs
};

void PrintTo(const Case& of, std::ostream* out) {
  *out << of.type;
}

base::Expected<Reduction> reduce(const std::string& text, Judges& judges) {
  return test::reduce(edit::test::parse(text), {}, test::bare_parts(judges));
}

class CulpritsInABody : public testing::TestWithParam<Case> {};

TEST_P(CulpritsInABody, AreAllThatRemains) {
  test::FunctionJudges judges(1, [](const model::Model& model) { return judge(model, GetParam().type); });
  const auto result = reduce(GetParam().text, judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(count_all_nodes(*result->model), GetParam().left) << edit::test::text(*result->model);
  EXPECT_EQ(judge(*result->model, GetParam().type).kind, Verdict::Kind::fails);
  EXPECT_LE(judges.started, 80);
}

INSTANTIATE_TEST_SUITE_P(
    Nodes, CulpritsInABody,
    testing::Values(
        Case{"Scan",
             "g (float[2] h, float[3,2] x) => (float[2] y, float[3,2] z) { y, z = Scan <num_scan_inputs = 1, "
             "body = b (float[2] s, float[2] v) => (float[2] t, float[2] t59) { t = Add(s, v)\n" +
                 chain("t") + "}> (h, x) }",
             3},
        Case{"Loop",
             "g (float[2] x, int64 m, bool c) => (float[2] y) { y = Loop (m, c, x) <body = b (int64 i, bool "
             "go, float[2] s) => (bool go, float[2] t59) { " +
                 chain("s") + "}> }",
             3},
        Case{"If",
             "g (float[2] x, bool c) => (float[2] y) { a = Abs(x) y = If (c) <then_branch = t () => "
             "(float[2] t59) { " +
                 chain("a") + "}, else_branch = e () => (float[2] e) { e = Exp(a) }> }",
             3}),
    [](const auto& chosen) { return chosen.param.type; });

// Returns whether one body, at any depth, has both Sin and Cos.
bool has_both_somewhere(const onnx::GraphProto& graph, int depth) {
  if (depth > 0 && has_both(graph)) return true;
  return std::ranges::any_of(graph.node(), [&](const onnx::NodeProto& node) {
    return std::ranges::any_of(node.attribute(), [&](const onnx::AttributeProto& attribute) {
      return attribute.has_g() && has_both_somewhere(attribute.g(), depth + 1);
    });
  });
}

TEST(CulpritsInABodyOfABody, AreAllThatRemains) {
  // Neither the If nor the Loop can be removed: in the graph itself, the culprits don't fail.
  test::FunctionJudges judges(1, [](const model::Model& model) {
    edit::test::expect_valid(model);
    const bool has_loop =
        model.graph().node_size() > 0 && model.graph().node(model.graph().node_size() - 1).op_type() == "Loop";
    const bool fails = has_loop && !has_both(model.graph()) && has_both_somewhere(model.graph(), -1);
    return Verdict{.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes, .text = fails ? "exit status 1" : ""};
  });
  const auto result = reduce(
      "g (float[2] x, int64 m, bool c) => (float[2] y) { y = Loop (m, c, x) <body = b (int64 i, bool "
      "go, float[2] s) => (bool go, float[2] r) { a = Abs(s) p = Exp(a) w = If (c) <then_branch = t () => "
      "(float[2] t59) { " +
          chain("p") + "}, else_branch = e () => (float[2] e) { e = Exp(a) }> r = Neg(w) }> }",
      judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  // The Loop, the If, Sin and Cos; the other branch returns zeros.
  EXPECT_LE(count_all_nodes(*result->model), 4) << edit::test::text(*result->model);
  EXPECT_LE(judges.started, 50);
}

// One culprit is in the body, the other after the node. Opening the body makes the graph larger at first.
TEST(CulpritsInABodyAndBehindIt, AreAllThatRemainsOfBoth) {
  const auto has = [](const onnx::GraphProto& graph, const char* op) {
    bool found = false;
    for (const onnx::NodeProto& node : graph.node()) {
      found = found || node.op_type() == op;
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        for (const onnx::NodeProto& inner : attribute.g().node()) found = found || inner.op_type() == op;
      }
    }
    return found;
  };
  test::FunctionJudges judges(1, [&](const model::Model& model) {
    const bool fails = has(model.graph(), "Cosh") && has(model.graph(), "Sinh");
    return Verdict{.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes, .text = fails ? "exit status 1" : ""};
  });
  const auto result = reduce(
      "g (float[2,3] x, float[3] z) => (float[3] f, float[2,3] w) { f, y = Scan <num_scan_inputs = 1, "
      "body = b (float[3] s, float[3] e) => (float[3] t, float[3] o) { c = Cosh(e) t = Add(c, s) o = Identity(c) }> "
      "(z, x) w = Sinh(y) }",
      judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(count_all_nodes(*result->model), 2) << edit::test::text(*result->model);
  EXPECT_LE(judges.started, 25);
}

// Returns the value of an integer constant; -1 if the graph has no such constant.
std::int64_t constant(const onnx::GraphProto& graph, const std::string& name) {
  for (const onnx::TensorProto& weight : graph.initializer()) {
    if (weight.name() == name) return weight.int64_data_size() > 0 ? weight.int64_data(0) : -1;
  }
  return -1;
}

// Fails if Sin is computed from the iteration's number and that is at least 37.
Verdict fails_late(const model::Model& model) {
  bool fails = false;
  bool has_sin = false;
  std::int64_t number = -1;
  for (const onnx::NodeProto& node : model.graph().node()) {
    has_sin = has_sin || node.op_type() == "Sin";
    if (node.op_type() == "Cast") number = std::max(number, constant(model.graph(), node.input(0)));
    if (node.op_type() != "Loop") continue;
    const auto& body = node.attribute(0).g().node();
    const auto has = [&](const char* op) {
      return std::ranges::any_of(body, [&](const auto& n) { return n.op_type() == op; });
    };
    fails = fails || (has("Cast") && has("Sin") && constant(model.graph(), node.input(0)) > 37);
  }
  edit::test::expect_valid(model);
  fails = fails || (has_sin && number >= 37);
  return {.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes,
          .text = fails ? "exit status 1" : "exit status 0"};
}

TEST(CulpritsInALoop, AreFoundInTheIterationAtWhichTheFailureBegins) {
  test::FunctionJudges judges(1, fails_late);
  const auto result = reduce(R"(g (float[2] x, bool c) => (float[2] y) <int64 m = {100}> { a = Abs(x)
      y = Loop (m, c, a) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
            f = Cast <to = 1> (i)  u = Mul(s, f)  v = Relu(u)  w = Sin(v)  t = Tanh(w) }> })",
                             judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(count_all_nodes(*result->model), 2) << edit::test::text(*result->model);
  EXPECT_LE(judges.started, 50);
}

// Returns true if Sin is computed from a number of at least 8. `numbers` has the highest number that each tensor gets.
bool sees_eight(const onnx::GraphProto& graph, std::map<std::string, std::int64_t> numbers) {
  for (const onnx::TensorProto& weight : graph.initializer()) {
    if (weight.int64_data_size() > 0) numbers[weight.name()] = weight.int64_data(0);
  }
  for (const onnx::NodeProto& node : graph.node()) {
    std::int64_t highest = 0;
    std::int64_t sum = 0;
    for (const std::string& input : node.input()) {
      highest = std::max(highest, numbers[input]);
      sum += numbers[input];
    }
    if (node.op_type() == "Sin" && highest >= 8) return true;
    if (node.op_type() == "Loop") {
      const onnx::GraphProto& body = node.attribute(0).g();
      std::map<std::string, std::int64_t> inside = numbers;
      inside[body.input(0).name()] = numbers[node.input(0)] - 1;
      if (sees_eight(body, inside)) return true;
    } else if (node.op_type() != "Sin") {
      numbers[node.output(0)] = node.op_type() == "Add" ? sum : highest;
    }
  }
  return false;
}

TEST(CulpritsInALoopInALoop, AreFoundInTheIterationsOfBoth) {
  test::FunctionJudges judges(1, [](const model::Model& model) {
    const bool fails = sees_eight(model.graph(), {});
    return Verdict{.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes, .text = fails ? "exit status 1" : ""};
  });
  // First in iteration 5 of the inner Loop while the outer one is in iteration 3.
  const auto result = reduce(R"(g (float[2] x, bool c) => (float[2] y) <int64 m = {5}, int64 n = {6}> { a = Abs(x)
      y = Loop (m, c, a) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) { p = Tanh(s)
            q = Loop (n, c, p) <body = d (int64 j, bool go2, float[2] s2) => (bool go2, float[2] t2) {
                  k = Add(i, j)  f = Cast <to = 1> (k)  u = Mul(p, f)  w = Sin(u)  t2 = Add(s2, w) }>
            t = Relu(q) }> })",
                             judges);
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(count_all_nodes(*result->model), 4) << edit::test::text(*result->model);  // those of the inner body but one
  EXPECT_LE(judges.started, 60);
}

}  // namespace
}  // namespace assay::reduce
