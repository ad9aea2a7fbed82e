#include "edit/guess_ranks.h"

#include <gmock/gmock.h>

#include "edit/candidate_facts.h"
#include "edit/model_texts.h"

namespace assay::edit {
namespace {

constexpr const char* kHeader = R"(ir_version: 8, opset_import: ["" : 17, "custom" : 1, "local" : 1])";

int rank(const model::Model& model, const char* name) {
  const Subject subject(model);
  const CandidateFacts facts(TensorFacts(subject, TensorFacts::Inference::onnx));
  const onnx::ValueInfoProto value = facts.describe_output(subject.view().find(name));
  return value.type().tensor_type().has_shape() ? value.type().tensor_type().shape().dim_size() : -1;
}

TEST(GuessRanks, AnUnknownOperatorKeepsTheRankOfItsInput) {
  const model::Model model = test::parse(
      "agraph (float[2,N] x, float[N,3] w) => (float[M] y) { a = custom.Op (x) b = MatMul (a, w) "
      "y = ReduceSum <keepdims = 0> (b) }",
      kHeader);
  EXPECT_EQ(rank(model, "a"), 2);
  EXPECT_EQ(rank(model, "b"), 2);
  EXPECT_EQ(rank(model, "y"), 1);
}

TEST(GuessRanks, FlattenAfterAnUnknownOperatorHasTwoDimensions) {
  const model::Model model = test::parse(
      "agraph (float[2,3,4] x) => (float[M,N] y) { a = custom.Op (x) b = Relu (a) f = Flatten (b) "
      "c = custom.Op (f) d = Relu (c) y = Add (d, f) }",
      kHeader);
  EXPECT_EQ(rank(model, "b"), 3);
  EXPECT_EQ(rank(model, "f"), 2);
}

// ONNX infers no shape for what a Loop carries.
TEST(GuessRanks, ALoopKeepsTheRanksOfWhatItCarries) {
  const model::Model model = test::parse(
      "agraph (int64 n, bool c, float[2,3] x, float[4] z, int64[k] s) => (float[M] y) { "
      "a, b = Loop (n, c, x, z) <body = g (int64 i, bool d, float[2,3] p, float[4] q) => "
      "(bool d, float[2,3] r, float[4] t) { r = Neg (p) t = Abs (q) }> "
      "e = Transpose (a) f = Reshape (z, s) y = Add (b, b) }",
      kHeader);
  EXPECT_EQ(rank(model, "a"), 2);
  EXPECT_EQ(rank(model, "b"), 1);
  EXPECT_EQ(rank(model, "e"), 2);
  EXPECT_EQ(rank(model, "f"), 1);
}

TEST(GuessRanks, ALoopMaySpellItsDomain) {
  const model::Model model = test::parse(
      "agraph (int64 n, bool c, float[2,3] x) => (float[M] y) { a = ai.onnx.Loop (n, c, x) <body = g (int64 i, bool d, "
      "float[2,3] p) => (bool d, float[2,3] r) { r = Neg (p) }> y = ReduceSum <keepdims = 0> (a) }",
      kHeader);
  EXPECT_EQ(rank(model, "a"), 2);
}

TEST(GuessRanks, AreNotForInputs) {
  const model::Model model = test::parse(
      "agraph (float[2,N] x, float[2,N] w) => (float[2,N] y) { a = custom.Op (x) y = Mul (a, w) }", kHeader);
  const Subject subject(model);
  const CandidateFacts facts(TensorFacts(subject, TensorFacts::Inference::onnx));
  EXPECT_TRUE(facts.has_type(subject.view().find("a")));
  EXPECT_FALSE(facts.has_rank(subject.view().find("a")));
}

TEST(GuessRanks, NeedATypeAndARank) {
  const model::Model model = test::parse("agraph (float x) => (y) { a = custom.Op (x) y = custom.Op (a) }", kHeader);
  EXPECT_EQ(rank(model, "a"), -1);
}

}  // namespace
}  // namespace assay::edit
