// Minimal mode with a check that knows the values of the whole model's tensors (ReduceParts::keeps_values).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "edit/model_texts.h"
#include "reduce/choose_passes.h"
#include "reduce/judge/test_judges.h"
#include "reduce/minimal_test_support.h"

namespace assay::reduce {
namespace {

constexpr const char* kModel = R"(g (float[2, 2] x, bool c) => (float[2, 2] y, float[2, 2] z)
    <float[2, 2] w = {1, 2, 3, 4}, bool yes = {1}, float[2, 2] v = {5, 6, 7, 8}> {
      a = Neg(x)
      b = LeakyRelu <alpha = 0.5> (a)
      d = MatMul(b, w)
      e = Identity(d)
      f = If (c) <then_branch = t1 () => (float[2, 2] t) { u = Relu(e) t = Neg(u) },
                  else_branch = e1 () => (float[2, 2] s) { s = Exp(e) }>
      g = If (yes) <then_branch = t2 () => (float[2, 2] r) { r = Abs(f) },
                    else_branch = e2 () => (float[2, 2] q) { q = Sin(f) }>
      h = Transpose(g)
      i = Clip(h)
      j = Add(i, v)
      k = Sqrt(j)
      y = Cos(k)
      z = Tan(b) })";

// By the first output, without bodies: those of an If may change if the other branch is executed.
std::map<std::string, std::string> nodes_of(const model::Model& model) {
  std::map<std::string, std::string> nodes;
  for (const onnx::NodeProto& node : model.graph().node()) nodes[node.output(0)] = node.SerializeAsString();
  return nodes;
}

base::Expected<Reduction> reduce_keeping(const model::Model& whole, bool thorough, Judges& judges) {
  ReduceOptions options;
  ASSAY_TRY(choose_passes({.thorough = thorough}, options));
  ReduceParts parts = test::bare_parts(judges);
  parts.keeps_values = [] { return true; };
  return test::reduce(whole, options, parts);
}

// Whatever is needed, each node of a candidate computes from its inputs what it computed in the whole model.
TEST(MinimalKeepsValues, EachNodeOfACandidateIsUnchanged) {
  const model::Model whole = edit::test::parse(kModel);
  std::map<std::string, std::string> known = nodes_of(whole);
  std::vector<std::string> names;
  for (const auto& [name, node] : nodes_of(whole)) names.push_back(name);
  for (const bool thorough : {false, true}) {
    for (std::size_t one = 0; one < names.size(); ++one) {
      const std::string& other = names[(one * 5 + 3) % names.size()];
      test::FunctionJudges judges(2, [&](const model::Model& candidate) {
        const auto nodes = nodes_of(candidate);
        for (const auto& [name, node] : nodes) {
          // The If whose condition is constant may be replaced by the branch that is executed.
          const bool is_branch = name == "g" && node.find("Abs") != std::string::npos;
          EXPECT_TRUE(is_branch || known[name] == node) << edit::test::text(candidate);
        }
        for (const onnx::TensorProto& weight : candidate.graph().initializer()) {
          const auto& all = whole.graph().initializer();
          EXPECT_TRUE(std::ranges::any_of(all, [&](const auto& old) {
            return old.SerializeAsString() == weight.SerializeAsString();
          })) << weight.name();
        }
        const bool fails = nodes.contains(names[one]) && nodes.contains(other);
        return Verdict{.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes, .text = {}};
      });
      const auto result = reduce_keeping(whole, thorough, judges);
      ASSERT_TRUE(result) << result.error().message();
      EXPECT_EQ(result->nodes_after >= 2 || names[one] == other, true);
    }
  }
}

// The promise is only about what was tried.
TEST(MinimalKeepsValues, NodesOfBodiesAreListedAsUntried) {
  const model::Model whole = edit::test::parse(kModel);
  test::FunctionJudges judges(1, [](const model::Model& candidate) {
    const bool fails = nodes_of(candidate).contains("f");
    return Verdict{.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes, .text = {}};
  });
  const auto result = reduce_keeping(whole, false, judges);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->nodes_after, 4);  // the If and the nodes of its branches
  EXPECT_THAT(result->untried, testing::SizeIs(testing::Ge(1U)));
  for (const std::string& node : result->untried) {
    EXPECT_THAT(node, testing::HasSubstr("the values of other tensors would change, which the check knows"));
  }
}

}  // namespace
}  // namespace assay::reduce
