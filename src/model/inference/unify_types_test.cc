#include "model/inference/unify_types.h"

#include <gmock/gmock.h>

#include <map>
#include <optional>

#include "model/load.h"

namespace assay::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::int32_t kFloat = onnx::TensorProto::FLOAT;
constexpr std::int32_t kHalf = onnx::TensorProto::FLOAT16;
constexpr std::int32_t kInt64 = onnx::TensorProto::INT64;

std::map<std::string, std::int32_t> unify(const std::string& text, const std::map<std::string, std::int32_t>& known) {
  const Model model =
      parse_text("<ir_version: 9, opset_import: [\"\" : 20, \"acme\" : 1, \"local\" : 1]>\n" + text).value();
  return unify_types(model, [&](const std::string& name) {
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(UnifyTypes, SpreadFromReadersToACustomOperator) {
  EXPECT_THAT(
      unify("g (float16[N] x, float16[N] w) => (y) { a = acme.Op (x) b = Tanh (a) c = Mul (b, w) y = acme.Op (c) }",
            {{"x", kHalf}, {"w", kHalf}}),
      ElementsAre(Pair("a", kHalf), Pair("b", kHalf), Pair("c", kHalf)));
}

TEST(UnifyTypes, FollowFromAnInputThatAllowsOneType) {
  EXPECT_THAT(unify("g (float[N] x) => (y) { a, b = acme.Op (x) y = Reshape (a, b) }", {{"x", kFloat}}),
              ElementsAre(Pair("b", kInt64)));
}

TEST(UnifyTypes, SpreadThroughCallsWithClassesOfTheirOwn) {
  EXPECT_THAT(unify(R"(
    g (float[N] x, float[N] w, float16[N] v) => (y, z) {
      a, b = acme.Op (x)
      y = local.Scale (a, w)
      z = local.Scale (b, v)
    }
    <domain: "local", opset_import: ["" : 20]>
    Scale (p, q) => (r) { s = Relu (p) r = Mul (s, q) }
  )",
                    {{"x", kFloat}, {"w", kFloat}, {"v", kHalf}}),
              ElementsAre(Pair("a", kFloat), Pair("b", kHalf), Pair("y", kFloat), Pair("z", kHalf)));
}

TEST(UnifyTypes, AFunctionThatCallsItselfEnds) {
  EXPECT_THAT(unify(R"(
    g (float[N] x) => (y) { y = local.Again (x) }
    <domain: "local", opset_import: ["" : 20, "local" : 1]>
    Again (p) => (r) { s = local.Again (p) t = local.Again (p) r = Add (s, t) }
  )",
                    {{"x", kFloat}}),
              IsEmpty());
}

TEST(UnifyTypes, DontFollowFromContradictions) {
  EXPECT_THAT(unify("g (float[N] x, float16[N] w) => (y) { a = acme.Op (x) b = Add (a, x) c = Add (a, w) y = Neg (a) }",
                    {{"x", kFloat}, {"w", kHalf}}),
              IsEmpty());
}

// The values that a Loop carries have types of their own.
TEST(UnifyTypes, DontSpreadBetweenValuesOfALoop) {
  EXPECT_THAT(unify(R"(
    g (float[N] x, int64 m, bool c, int64 k) => (y, z) {
      a = acme.Op (x)
      y, z = Loop (m, c, a, k) <body = body (int64 i, bool t, float[N] u, int64 v) => (bool t2, float[N] u2, int64 v2) {
        t2 = Identity (t) u2 = Identity (u) v2 = Identity (v) }>
    }
  )",
                    {{"x", kFloat}, {"m", kInt64}, {"c", onnx::TensorProto::BOOL}, {"k", kInt64}}),
              IsEmpty());
}

}  // namespace
}  // namespace assay::model
