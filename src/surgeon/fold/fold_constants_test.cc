// Models as text, before and after. Tests whose results differ from those of Polygraphy say so.
#include "surgeon/fold/fold_constants.h"

#include "base/files.h"
#include "base/temp_dir.h"
#include "surgeon/fold/engine_test_support.h"
#include "tests/support/paths.h"

namespace assay::surgeon {
namespace {

using testing::HasSubstr;

class FoldConstants : public EngineTest {
 protected:
  void expect(const std::string& before, const std::string& after, const FoldOptions& options = {},
              const std::string& header = "ir_version: 8, opset_import: [\"\" : 17]") {
    model::Model model = parse(before, header);
    const base::Status status = fold_constants(model, options, engine(), log_);
    ASSERT_TRUE(status) << status.error().message();
    EXPECT_EQ(text(model), text(parse(after, header)));
  }
};

TEST_F(FoldConstants, ReplacesNodesThatDependOnConstantsOnly) {
  expect(R"(g (float[2] x) => (float[2] y) <float[2] a = {1,2}, float[2] b = {3,4}> {
              c = Add(a, b)  d = Mul(c, c)  y = Add(x, d) })",
         "g (float[2] x) => (float[2] y) <float[2] d = {16,36}> { y = Add(x, d) }");
  EXPECT_EQ(log_.text(), "");
}

// The exporter may write a newer version than the engine knows.
TEST_F(FoldConstants, FoldsModelsOfAnyIrVersion) {
  expect("g (float[2] x) => (float[2] y) <float[2] a = {1,2}> { c = Neg(a)  y = Add(x, c) }",
         "g (float[2] x) => (float[2] y) <float[2] c = {-1,-2}> { y = Add(x, c) }", {},
         "ir_version: 99, opset_import: [\"\" : 17]");
  EXPECT_EQ(log_.text(), "");
}

TEST_F(FoldConstants, OperatorSetsThatTheEngineRefusesAreOneWarning) {
  const std::string body = R"(g (float[2] x) => (float[2] y, int64 n) <float[2] a = {1,2}> {
      c = Neg(a)  d = Abs(a)  e = Add(x, c)  y = Add(e, d)  n = Size(x) })";
  const std::string header = "ir_version: 8, opset_import: [\"\" : 99]";
  model::Model model = parse(body, header);
  ASSERT_TRUE(fold_constants(model, {}, engine(), log_));
  EXPECT_THAT(log_.text(), testing::StartsWith("Not folded: Neg 'c' (node #0) and 1 more: failed while building"));
  EXPECT_EQ(log_.text().find("Not folded"), log_.text().rfind("Not folded"));
}

TEST_F(FoldConstants, AConstantOutputBecomesAnInitializer) {
  expect(R"(g (float[2] x) => (float[2] d, float[2] y) <float[2] a = {1,2}, float[2] b = {3,4}> {
              c = Add(a, b)  d = Mul(c, c)  y = Add(x, d) })",
         "g (float[2] x) => (float[2] d, float[2] y) <float[2] d = {16,36}> { y = Add(x, d) }");
}

TEST_F(FoldConstants, TurnsConstantNodesIntoInitializersWithoutAnEngine) {
  expect(R"(g (float[2] x, int64[2] i, string[2] s) => (float[2] y, int64[2] j, string[2] t) {
              a = Constant <value = float[2] {1,2}> ()  y = Add(x, a)
              b = Constant <value_ints = [3, 4]> ()     j = Add(i, b)
              c = Constant <value_strings = ["u", "v"]> ()  t = StringConcat(s, c) })",
         R"(g (float[2] x, int64[2] i, string[2] s) => (float[2] y, int64[2] j, string[2] t)
              <float[2] a = {1,2}, int64[2] b = {3,4}, string[2] c = {"u","v"}> {
              y = Add(x, a)  j = Add(i, b)  t = StringConcat(s, c) })",
         {}, "ir_version: 9, opset_import: [\"\" : 20]");
  EXPECT_EQ(engines_found_, 0);
}

TEST_F(FoldConstants, DropsDeadNodesAndUnusedWeights) {
  expect(R"(g (float[2] x, float[2] unused) => (float[2] y) <float[2] k = {1,2}, float[1] nobody = {1}> {
              c = Add(k, k)  dead = Relu(x)  dead2 = Abs(dead)  y = Add(x, c) })",
         "g (float[2] x, float[2] unused) => (float[2] y) <float[2] c = {2,4}> { y = Add(x, c) }");
}

TEST_F(FoldConstants, FoldsKnownShapes) {
  expect(R"(g (float[2,3] x, int64[2] z) => (int64[2] y, int64 n) {
              s = Shape(x)  y = Add(s, z)  n = Size(x) })",
         "g (float[2,3] x, int64[2] z) => (int64[2] y, int64 n) <int64[2] s = {2,3}, int64 n = {6}> { y = Add(s, z) }");
  expect("g (float[2,3,4] x, int64[1] z) => (int64[1] y) { s = Shape <start = -2, end = 2> (x)  y = Add(s, z) }",
         "g (float[2,3,4] x, int64[1] z) => (int64[1] y) <int64[1] s = {3}> { y = Add(s, z) }");
}

TEST_F(FoldConstants, FoldsTheKnownPartOfAShape) {
  expect(R"(g (float[N,3,5] x, int64 z, int64[2] w) => (int64 y, int64[2] v)
              <int64 i = {-1}, int64[1] from = {1}, int64[1] to = {9}> {
              s = Shape(x)  g = Gather(s, i)  y = Add(g, z)  t = Slice(s, from, to)  v = Add(t, w) })",
         R"(g (float[N,3,5] x, int64 z, int64[2] w) => (int64 y, int64[2] v) <int64 g = {5}, int64[2] t = {3,5}> {
              y = Add(g, z)  v = Add(t, w) })");
  const std::string unknown = R"(g (float[N,3] x, int64 z) => (int64 y) <int64 i = {0}> {
              s = Shape(x)  g = Gather(s, i)  y = Add(g, z) })";
  expect(unknown, unknown);
}

TEST_F(FoldConstants, KeepsShapesIfRequested) {
  const std::string body = "g (float[2,3] x, int64[2] z) => (int64[2] y) { s = Shape(x)  y = Add(s, z) }";
  expect(body, body, {.fold_shapes = false});
}

TEST_F(FoldConstants, InfersShapesBetweenPasses) {
  // The Shape can be folded only once the shape of `a` is known.
  const std::string before = R"(g (float[N,4] x) => (float[M,8] y) <int64[1] two = {2}, int64[1] i = {1},
      int64[2] pair = {-1,4}, int64[2] ones = {1,2}> {
      s = Mul(pair, ones)  a = Reshape(x, s)  h = Shape(a)  c = Gather(h, i)
      z = ConstantOfShape <value = float[1] {2}> (c)  y = Add(a, z) })";
  expect(before,
         R"(g (float[N,4] x) => (float[M,8] y) <int64[2] s = {-1,8}, float[8] z = {2,2,2,2,2,2,2,2}> {
              a = Reshape(x, s)  y = Add(a, z) })");
  const std::string once = R"(g (float[N,4] x) => (float[M,8] y) <int64[1] i = {1}, int64[2] s = {-1,8}> {
      a = Reshape(x, s)  h = Shape(a)  c = Gather(h, i)
      z = ConstantOfShape <value = float[1] {2}> (c)  y = Add(a, z) })";
  expect(before, once, {.passes = 1});
  expect(before, once, {.infer_between_passes = false});
}

TEST_F(FoldConstants, LeavesQuantizationAlone) {
  const std::string body = R"(g (float[2,3] x) => (float[2,3] y)
      <float[2,3] w = {1,2,3,4,5,6}, float s = {0.1}, int8 z = {0}> {
      q = QuantizeLinear(w, s, z)  d = DequantizeLinear(q, s, z)  y = Add(x, d) })";
  expect(body, body);
  expect(R"(g (float[2] x) => (int8[2] y) <float a = {0.5}, float two = {2}, int8 z = {0}> {
              s = Mul(a, two)  y = QuantizeLinear(x, s, z) })",
         "g (float[2] x) => (int8[2] y) <int8 z = {0}, float s = {1}> { y = QuantizeLinear(x, s, z) }");
}

// Polygraphy folds these to a single drawing.
TEST_F(FoldConstants, LeavesRandomNumbersAlone) {
  const std::string body = R"(g (float[2] x) => (float[2] y) <float[2] w = {1,2}, float r = {0.5}, bool t = {1}> {
      a = RandomNormal <shape = [2]> ()  b = RandomNormalLike(w)  c = Bernoulli(w)  d = Dropout(w, r, t)
      e = Sum(a, b, c, d)  y = Add(x, e) })";
  expect(body, body);
  expect("g (float[2] x) => (float[2] y) <float[2] w = {1,2}, float r = {0.5}> { d = Dropout(w, r)  y = Add(x, d) }",
         "g (float[2] x) => (float[2] y) <float[2] d = {1,2}> { y = Add(x, d) }");
}

TEST_F(FoldConstants, InlinesTheBranchThatAConstantConditionTakes) {
  expect(R"(g (float[2] x) => (float[2] y) <int64 a = {1}, int64 b = {2}> {
              c = Less(b, a)
              z = If (c) <then_branch = t () => (float[2] t) { t = Relu(x) },
                          else_branch = e () => (float[2] e) <float[2] k = {1,2}> { j = Add(x, k)  e = Neg(j) }>
              y = Abs(z) })",
         R"(g (float[2] x) => (float[2] y) <float[2] k = {1,2}> {
              j = Add(x, k)  z = Neg(j)  y = Abs(z) })");
}

// In bodies, Polygraphy folds only what follows from shapes.
TEST_F(FoldConstants, FoldsInsideBodies) {
  expect(R"(g (float[2] x, bool c) => (float[2] y) <float[2] o = {1,2}> {
              p = Add(o, o)
              y = If (c) <then_branch = t () => (float[2] t) { t = Relu(x) },
                          else_branch = e () => (float[2] e) <float[2] k = {1,2}> {
                            s = Shape(x)  f = Cast <to = 1> (s)  g = Mul(f, p)  h = Add(g, k)  e = Add(x, h) }> })",
         R"(g (float[2] x, bool c) => (float[2] y) {
              y = If (c) <then_branch = t () => (float[2] t) { t = Relu(x) },
                          else_branch = e () => (float[2] e) <float[2] h = {5,10}> { e = Add(x, h) }> })");
}

TEST_F(FoldConstants, BodiesReadFoldedValuesOfTheOuterGraph) {
  expect(R"(g (float[2] x, bool c) => (float[2] y) <float[2] o = {1,2}> {
              p = Add(o, o)
              y = If (c) <then_branch = t () => (float[2] t) { t = Mul(x, p) },
                          else_branch = e () => (float[2] e) { e = Neg(x) }> })",
         R"(g (float[2] x, bool c) => (float[2] y) <float[2] p = {2,4}> {
              y = If (c) <then_branch = t () => (float[2] t) { t = Mul(x, p) },
                          else_branch = e () => (float[2] e) { e = Neg(x) }> })");
}

TEST_F(FoldConstants, ANameInABodyHidesTheConstantOutside) {
  const std::string body = R"(g (float[2] x) => (float[2] y) <float[2] k = {1,2}, int64 n = {2}, bool c = {1}> {
      z = Identity(x)
      y = Loop (n, c, z) <body = b (int64 i, bool ci, float[2] k) => (bool co, float[2] ko) {
        co = Identity(ci)  ko = Add(k, k) }> })";
  model::Model model = parse(body);
  ASSERT_TRUE(fold_constants(model, {}, engine(), log_));
  EXPECT_THAT(text(model), HasSubstr("ko = Add (k, k)"));
}

TEST_F(FoldConstants, CallsLocalFunctions) {
  const std::string functions = R"(
      <domain: "my", opset_import: ["" : 17, "my" : 1]> F (a) => (b) { c = my.G(a)  b = Relu(c) }
      <domain: "my", opset_import: ["" : 17, "my" : 1]> G (a) => (b) { b = Neg(a) })";
  expect("g (float[2] x) => (float[2] y) <float[2] k = {1,-2}> { z = my.F(k)  y = Add(x, z) }" + functions,
         "g (float[2] x) => (float[2] y) <float[2] z = {0,2}> { y = Add(x, z) }" + functions, {},
         "ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]");
}

// Otherwise, a caller who sets `w` would change only one of its two readers.
TEST_F(FoldConstants, AnInputWithAValueThatWasFoldedIsNoLongerAnInput) {
  expect("g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1,2}> { c = Neg(w)  d = Add(x, w)  y = Mul(c, d) }",
         R"(g (float[2] x) => (float[2] y) <float[2] w = {1,2}, float[2] c = {-1,-2}> {
              d = Add(x, w)  y = Mul(c, d) })");
  expect(R"(g (float[2] x, bool q, bool c) => (float[2] y, bool d) <bool c = {1}> {
              y = If(c) <then_branch = t () => (float[2] t) { t = Neg(x) },
                         else_branch = e () => (float[2] e) { e = Exp(x) }>
              d = And(c, q) })",
         "g (float[2] x, bool q) => (float[2] y, bool d) <bool c = {1}> { y = Neg(x)  d = And(c, q) }");
  expect(
      "g (float[3] x, float[N] w) => (int64[1] s, float[3] y) <float[3] w = {1,2,3}> { s = Shape(w)  y = Add(x, w) }",
      "g (float[3] x) => (int64[1] s, float[3] y) <float[3] w = {1,2,3}, int64[1] s = {3}> { y = Add(x, w) }");
  const std::string read_only = "g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1,2}> { y = Add(x, w) }";
  expect(read_only, read_only);
}

TEST_F(FoldConstants, CallsLocalFunctionsInBodies) {
  const std::string function = R"(
      <domain: "my", opset_import: ["" : 17]> F (a) => (b) { b = Neg(a) })";
  expect(R"(g (float[2] x) => (float[2] y) <float[2] k = {1,-2}, int64 n = {2}> {
              z = Loop (n, , k) <body = b (int64 i, bool c, float[2] s) => (bool d, float[2] t) {
                                   d = Identity(c)  t = my.F(s) }>
              y = Add(x, z) })" +
             function,
         "g (float[2] x) => (float[2] y) <float[2] z = {1,-2}> { y = Add(x, z) }" + function, {},
         "ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]");
}

constexpr auto kWithCustom = "ir_version: 8, opset_import: [\"\" : 17, \"foo\" : 1]";
constexpr auto kBeforeFailure = R"(g (float[2] x) => (float[2] y) <float[2] a = {1,2}, float[2] b = {3,4}> {
    c = Add(a, b)  bad = foo.Custom(a)  bad2 = Add(bad, c)  d = Mul(c, c)  e = Add(x, d)  f = Add(a, a)
    y1 = Add(e, bad2)  y = Add(y1, f) })";

TEST_F(FoldConstants, NodesThatCannotBeRunStayAndTheRestFolds) {
  expect(kBeforeFailure,
         R"(g (float[2] x) => (float[2] y) <float[2] a = {1,2}, float[2] c = {4,6}, float[2] d = {16,36},
                                            float[2] f = {2,4}> {
              bad = foo.Custom(a)  bad2 = Add(bad, c)  e = Add(x, d)  y1 = Add(e, bad2)  y = Add(y1, f) })",
         {}, kWithCustom);
  EXPECT_THAT(log_.text(), HasSubstr("Custom 'bad'"));
  EXPECT_THAT(log_.text(), testing::Not(HasSubstr("Add")));
}

TEST_F(FoldConstants, NodesThatCannotBeRunAreErrorsIfRequested) {
  model::Model model = parse(kBeforeFailure, kWithCustom);
  const base::Status status = fold_constants(model, {.failures_are_errors = true}, engine(), log_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::engine);
  EXPECT_THAT(status.error().message(), HasSubstr("Custom 'bad'"));
}

TEST_F(FoldConstants, BasicPartitioningGivesUpTheWholePart) {
  expect(kBeforeFailure,
         R"(g (float[2] x) => (float[2] y) <float[2] a = {1,2}, float[2] b = {3,4}, float[2] f = {2,4}> {
              c = Add(a, b)  bad = foo.Custom(a)  bad2 = Add(bad, c)  d = Mul(c, c)  e = Add(x, d)
              y1 = Add(e, bad2)  y = Add(y1, f) })",
         {.partitioning = Partitioning::basic}, kWithCustom);
}

TEST_F(FoldConstants, ANodeThatFailsWhenItRunsStaysToo) {
  expect(R"(g (float[2] x) => (float[2] y) <float[2] a = {1,2}, float[2] b = {3,4}, int64[1] s = {7}> {
              c = Add(a, b)  bad = Reshape(a, s)  bad2 = ReduceSum(bad)  d = Mul(c, c)  e = Add(x, d)
              y = Add(e, bad2) })",
         R"(g (float[2] x) => (float[2] y) <float[2] a = {1,2}, int64[1] s = {7}, float[2] d = {16,36}> {
              bad = Reshape(a, s)  bad2 = ReduceSum(bad)  e = Add(x, d)  y = Add(e, bad2) })",
         {.infer_between_passes = false});
}

TEST_F(FoldConstants, TensorsAboveTheThresholdStayComputed) {
  const std::string before = R"(g (float[4] x) => (float[4] y, float[100] z)
      <float[4] a = {1,2,3,4}, int64[1] big = {100}, float[1] one = {1}> {
      c = Add(a, a)  e = Expand(one, big)  z = Mul(e, e)  s = ReduceSum(z)  d = Add(c, s)  y = Add(x, d) })";
  expect(before,
         R"(g (float[4] x) => (float[4] y, float[100] z)
              <int64[1] big = {100}, float[1] one = {1}, float[4] d = {102,104,106,108}> {
              e = Expand(one, big)  z = Mul(e, e)  y = Add(x, d) })",
         {.size_threshold = 399});
  expect(before,
         R"(g (float[4] x) => (float[4] y, float[100] z)
              <float[4] a = {1,2,3,4}, int64[1] big = {100}, float[1] one = {1}, float[1] s = {100}> {
              c = Add(a, a)  e = Expand(one, big)  z = Mul(e, e)  d = Add(c, s)  y = Add(x, d) })",
         {.size_threshold = 8});
}

TEST_F(FoldConstants, ShapesAboveTheThresholdStayComputed) {
  const std::string before =
      "g (float[2,3] x) => (float[2,3] y, int64[2] z) { s = Shape(x)  y = Reshape(x, s)  z = Neg(s) }";
  expect(before, before, {.size_threshold = 15});
  expect(before,
         "g (float[2,3] x) => (float[2,3] y, int64[2] z) <int64[2] s = {2,3}, int64[2] z = {-2,-3}> "
         "{ y = Reshape(x, s) }",
         {.size_threshold = 16});
}

TEST_F(FoldConstants, SequencesAreNoValuesButCanBeOnTheWay) {
  expect(R"(g (float[4] x) => (float[4] y) <float[2] o = {1,2}> {
              s = SequenceConstruct(o, o)  c = ConcatFromSequence <axis = 0> (s)  y = Add(x, c) })",
         "g (float[4] x) => (float[4] y) <float[4] c = {1,2,1,2}> { y = Add(x, c) }");
  const std::string read = R"(g (int64 i) => (float[2] y) <float[2] o = {1,2}> {
      s = SequenceConstruct(o, o)  y = SequenceAt(s, i) })";
  expect(read, read);
  EXPECT_EQ(log_.text(), "");
}

TEST_F(FoldConstants, BeforeVersion4NewInitializersAreInputsToo) {
  expect("g (float[2] x, float[2] o) => (float[2] y) <float[2] o = {1,2}> { a = Neg(o)  y = Add(a, x) }",
         "g (float[2] x, float[2] a) => (float[2] y) <float[2] a = {-1,-2}> { y = Add(a, x) }", {},
         "ir_version: 3, opset_import: [\"\" : 9]");
}

TEST_F(FoldConstants, TheSameConstantTwiceIsOneInitializer) {
  model::Model model =
      parse("g (float[2] x) => (float[2] y) { c = Constant <value = float[2] {1,2}> ()  y = Add(x, c) }");
  *model.graph().add_node() = model.graph().node(0);
  ASSERT_TRUE(fold_constants(model, {}, engine(), log_));
  EXPECT_EQ(text(model), text(parse("g (float[2] x) => (float[2] y) <float[2] c = {1,2}> { y = Add(x, c) }")));
}

// Engines compute with the last of them.
TEST_F(FoldConstants, TheLastOfSeveralConstantsIsTheInitializer) {
  expect(R"(g (float[2] x) => (float[2] y) <float[2] c = {7,8}> {
           c = Constant <value = float[2] {1,2}> ()
           y = Add(x, c)
           c = Constant <value = float[2] {3,4}> () })",
         "g (float[2] x) => (float[2] y) <float[2] c = {3,4}> { y = Add(x, c) }");
}

TEST_F(FoldConstants, LargeWeightsAreNotTakenIntoMemory) {
  const base::TempDir dir = base::TempDir::create().value();
  model::Model made = parse("g (float[64] x) => (float[64] y) { t = Transpose(w)  y = MatMul(x, t) }");
  std::vector<float> values(64 * 64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  *made.graph().add_initializer() =
      model::to_proto("w", tensor::Tensor::of(tensor::ElementType::float32, {64, 64}, values));
  ASSERT_TRUE(base::write_file(dir.path() / "m.onnx", made.proto.SerializeAsString()));
  model::Model model = model::load(dir.path() / "m.onnx").value();
  ASSERT_TRUE(fold_constants(model, {}, engine(), log_));
  ASSERT_EQ(model.graph().initializer_size(), 1);
  const onnx::TensorProto& folded = model.graph().initializer(0);
  EXPECT_EQ(folded.name(), "t");
  EXPECT_EQ(folded.data_location(), onnx::TensorProto::EXTERNAL) << "by reference";
  const tensor::Tensor result = model::read_weight(model, folded).value();
  EXPECT_EQ(result.load<float>(1), 64.0F);
  EXPECT_EQ(result.load<float>(64), 1.0F);
}

TEST_F(FoldConstants, ACycleIsAnError) {
  model::Model model = parse(
      "g (float[2] x) => (float[2] y) <float[2] k = {1,2}> { c = Neg(k)  a = Add(b, c)  b = Add(a, x)  y = Neg(b) }");
  const base::Status status = fold_constants(model, {}, engine(), log_);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("cycle"));
}

TEST_F(FoldConstants, WithoutAnEngineItReportsThat) {
  model::Model model = parse("g (float[2] x) => (float[2] y) <float[2] k = {1,2}> { c = Neg(k)  y = Add(x, c) }");
  Engine none{pool_, [] { return base::fail(base::ErrorKind::not_found, "no ONNX Runtime"); }, {}};
  const base::Status status = fold_constants(model, {}, none, log_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::not_found);
}

TEST_F(FoldConstants, AStopEndsIt) {
  model::Model model = parse("g (float[2] x) => (float[2] y) <float[2] k = {1,2}> { c = Neg(k)  y = Add(x, c) }");
  stop_.request();
  const base::Status status = fold_constants(model, {}, engine(), log_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, base::ErrorKind::interrupted);
}

TEST_F(FoldConstants, AnEngineThatCrashesLeavesTheModelAsItIs) {
  constexpr auto kBody = "g (float[2] x) => (float[2] y) <float[2] k = {1,2}> { c = Neg(k)  y = Add(x, c) }";
  model::Model model = parse(kBody);
  worker::Pool fakes({test::fakes_dir(), 1}, stop_);
  const Engine crashing{fakes, [] { return worker::EngineSpec{"fake", "", {{"behaviour", "segfault"}}}; }, {}};
  ASSERT_TRUE(fold_constants(model, {}, crashing, log_));
  EXPECT_EQ(text(model), text(parse(kBody)));
  EXPECT_THAT(log_.text(), HasSubstr("Neg 'c'"));
  EXPECT_THAT(log_.text(), HasSubstr("signal 11"));
}

// A Loop that never ends is constant, too.
TEST_F(FoldConstants, AnEngineThatHangsSpoilsOnlyItsPart) {
  model::Model model =
      parse(R"(g (float[2] x) => (float[2] y) <float[2] k = {1,2}, bool go = {1}, int64 n = {9000000000000000000}> {
      c = Neg(k)
      d = Loop (n, go, k) <body = b (int64 i, bool ci, float[2] s) => (bool co, float[2] so) {
        co = Identity(ci)  so = Neg(s) }>
      e = Add(x, c)  y = Add(e, d) })");
  ASSERT_TRUE(fold_constants(model, {}, engine(1), log_));
  EXPECT_THAT(log_.text(), HasSubstr("Loop"));
  EXPECT_THAT(text(model), HasSubstr("float[2] c =  {-1,-2}"));
  EXPECT_THAT(text(model), HasSubstr("Loop"));
}

}  // namespace
}  // namespace assay::surgeon
