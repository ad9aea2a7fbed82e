#include "reduce/candidates/bound_loops.h"

#include <gtest/gtest.h>

#include "edit/changes/known_value_infos.h"
#include "edit/model_texts.h"
#include "reduce/candidates/body_model.h"

namespace assay::reduce {
namespace {

using edit::test::expect_valid;
using edit::test::parse;
using edit::test::text;

// Returns a model with a Loop; without `rounds`, it has no number of iterations.
model::Model loop(const std::string& body, const std::string& rounds = "") {
  model::Model model =
      parse("g (int64 n, bool c, int64 most) => (int64 m) <int64 k = {1}, int64 few = {7}> { m = Loop (" +
            (rounds.empty() ? "k" : rounds) +
            ", c, n) <body = b (int64 i, bool go, int64 s) => (bool again, int64 t) { " + body + " }> }");
  model.graph().mutable_node(0)->set_input(0, rounds);
  return model;
}

bool varies(const std::string& body) {
  return condition_varies(loop(body).graph().node(0).attribute(0).g());
}

TEST(BoundLoops, AConditionVariesWithTheIterationOrAState) {
  EXPECT_TRUE(varies("t = Add(s, k) again = Less(t, most)"));
  EXPECT_TRUE(varies("t = Add(s, k) again = Less(i, most)"));
  EXPECT_TRUE(varies("t = Add(i, k) again = Less(s, most)"));
  EXPECT_TRUE(varies(R"(t = Add(s, k)
      again = If (go) <then_branch = a () => (bool x) { x = Less(t, most) },
                       else_branch = o () => (bool y) { y = Identity(go) }>)"));
}

TEST(BoundLoops, AConditionOfWhatStaysTheSameDoesNotVary) {
  EXPECT_FALSE(varies("t = Add(s, k) again = Identity(go)"));
  EXPECT_FALSE(varies("t = Add(s, k) again = Less(k, most)"));
  EXPECT_FALSE(varies("t = Identity(s) again = Less(s, most)"));
  EXPECT_FALSE(varies("t = Add(k, most) again = Less(s, most)"));
  EXPECT_FALSE(varies("t = Add(s, k) b = Less(k, most) again = And(b, go)"));
}

// Returns the number of iterations that the Loop has now; -1 if it has none or it isn't a constant.
std::int64_t rounds_after(const model::Model& before, model::Model after) {
  bound_loops(before, edit::known_value_infos(before), after);
  expect_valid(after);
  for (const onnx::TensorProto& weight : after.graph().initializer()) {
    if (weight.name() == after.graph().node(0).input(0)) return weight.int64_data(0);
  }
  return -1;
}

constexpr const char* kWhile = "t = Add(s, k) again = Less(t, most)";
constexpr const char* kEndless = "t = Add(s, k) again = Less(k, most)";

TEST(BoundLoops, ALoopThatNoLongerEndsGetsANumberOfIterations) {
  EXPECT_EQ(rounds_after(loop(kWhile), loop(kEndless)), kRoundsIfUnknown);
  EXPECT_EQ(rounds_after(loop(kWhile, "most"), loop(kEndless, "most")), kRoundsIfUnknown);
}

TEST(BoundLoops, OtherLoopsStayAsTheyAre) {
  EXPECT_EQ(rounds_after(loop(kWhile), loop(kWhile)), -1);
  EXPECT_EQ(rounds_after(loop(kEndless), loop(kEndless)), -1) << "the model itself doesn't end";
  EXPECT_EQ(rounds_after(loop(kWhile, "few"), loop(kEndless, "few")), 7);
}

TEST(BoundLoops, TheNumberOfIterationsCanComeFromAConstantNode) {
  const auto few = [](const std::string& body) {
    return parse(
        "g (int64 n, bool c, int64 most) => (int64 m) <int64 k = {1}> { few = Constant <value_int = 7> ()"
        " m = Loop (few, c, n) <body = b (int64 i, bool go, int64 s) => (bool again, int64 t) { " +
        body + " }> }");
  };
  model::Model after = few(kEndless);
  bound_loops(few(kWhile), edit::known_value_infos(after), after);
  EXPECT_EQ(text(after), text(few(kEndless)));
}

// Returns the Loop after the search for nodes of its body kept only those with these outputs.
TEST(BoundLoops, SoDoesALoopWhoseBodyWasSearched) {
  const model::Model model = loop("t = Add(s, k) u = Mul(t, t) again = Less(u, most)");
  const std::vector<BodyModel> bodies = BodyModel::find(model, edit::known_value_infos(model));
  ASSERT_EQ(bodies.size(), 1U);
  const auto wrapped = bodies[0].wrap(parse("b (int64 i, bool go, int64 s, int64 k) => (int64 t) { t = Add(s, k) }"));
  ASSERT_TRUE(wrapped.has_value());
  expect_valid(*wrapped);
  EXPECT_EQ(wrapped->graph().node(0).input(0), "rounds") << text(*wrapped);
}

}  // namespace
}  // namespace assay::reduce
