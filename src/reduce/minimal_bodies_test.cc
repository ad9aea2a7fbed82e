// Culprits that are none without the node whose body they are in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "edit/model_texts.h"
#include "reduce/count_nodes.h"
#include "reduce/minimal.h"
#include "reduce/test_judges.h"

namespace assay::reduce {
namespace {

bool has_both(const onnx::GraphProto& body) {
  const auto has = [&](const char* op) {
    return std::ranges::any_of(body.node(), [&](const onnx::NodeProto& node) { return node.op_type() == op; });
  };
  return has("Sin") && has("Cos");
}

// A node of this type has Sin and Cos in one of its bodies. Nothing else is looked at but that the model is valid.
Verdict judge(const model::Model& model, const std::string& type) {
  bool fails = false;
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.op_type() != type) continue;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      fails = fails || (attribute.has_g() && has_both(attribute.g()));
    }
  }
  edit::test::expect_valid(model);
  return {.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes, .text = fails ? "exit code 1" : "exit code 0"};
}

// 60 nodes from `from` to t59; number 20 is a Sin, number 40 a Cos.
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
  std::int64_t left;  // nodes: those of the body, the node around it, what the other branch needs
};

void PrintTo(const Case& of, std::ostream* out) {
  *out << of.type;
}

class CulpritsInABody : public testing::TestWithParam<Case> {};

TEST_P(CulpritsInABody, AreWhatIsLeftOfIt) {
  test::FunctionJudges judges(1, [](const model::Model& model) { return judge(model, GetParam().type); });
  base::SilentLog log;
  const base::Stop stop;
  const model::Model model = edit::test::parse(GetParam().text);
  const auto result = reduce_to_minimum(model, {},
                                        {.judges = judges,
                                         .journal = nullptr,
                                         .iterations = nullptr,
                                         .log = log,
                                         .stop = stop,
                                         .classify = [](Verdict&, const auto&) {},
                                         .reference = {},
                                         .judge_file = {},
                                         .values = {}});
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
             5}),
    [](const auto& chosen) { return chosen.param.type; });

}  // namespace
}  // namespace assay::reduce
