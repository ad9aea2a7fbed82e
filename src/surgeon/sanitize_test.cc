#include "surgeon/sanitize.h"

#include "surgeon/fold/engine_test_support.h"

namespace assay::surgeon {
namespace {

using model::Dimension;
using testing::HasSubstr;

class Sanitize : public EngineTest {
 protected:
  std::string after(const std::string& body, const SanitizeOptions& options) {
    model::Model model = parse(body);
    const base::Status status = sanitize(model, options, engine(), log_);
    EXPECT_TRUE(status) << status.error().message();
    return text(model);
  }
};

constexpr auto kBody = R"(g (float[N,4] x) => (float[M,8] y, int64[2] h) <int64[2] s = {-1,8}> {
    h = Shape(a)  y = Neg(a)  a = Reshape(x, s)  dead = Abs(y) })";

// As in Polygraphy 0.53, which rewrites the graph only for these options.
TEST_F(Sanitize, UnusedWeightsGoIfTheGraphChanges) {
  constexpr auto kUnused = R"(g (float[2] x) => (float[2] y) <float[2] u = {1,2}> { d = Abs(x)  y = Neg(x) })";
  EXPECT_EQ(after(kUnused, {}), text(parse(kUnused)));
  EXPECT_EQ(after(kUnused, {.toposort = true}),
            text(parse("g (float[2] x) => (float[2] y) { d = Abs(x)  y = Neg(x) }")));
}

TEST_F(Sanitize, ShapesThatAreOverriddenReachTheOutputs) {
  EXPECT_EQ(after(kBody, {.input_shapes = {{"x", {{4, ""}, {4, ""}}}}, .toposort = true}),
            text(parse(R"(g (float[4,4] x) => (float[2,8] y, int64[2] h) <int64[2] s = {-1,8}> {
                a = Reshape(x, s)  h = Shape(a)  y = Neg(a)  dead = Abs(y) })")));
}

TEST_F(Sanitize, OldShapesInABodyAreNotFolded) {
  const std::string result = after(R"(g (int64 n, bool c, float[2,3] x) => (int64[k,2] s) {
      y, s = Loop (n, c, x) <body = b (int64 i, bool d, float[2,3] a) => (bool e, float[2,3] r, int64[2] h) {
        e = Identity(d)  h = Shape(a)  r = Neg(a) }> })",
                                   {.input_shapes = {{"x", {{5, ""}, {3, ""}}}}, .fold = FoldOptions()});
  EXPECT_THAT(result, HasSubstr("h = Shape (a)"));
}

// The engine computes the true shape, whatever the model declares.
TEST_F(Sanitize, FalseShapesAreNotFolded) {
  const std::string result = after(R"(g (float[2,3] x) => (int64[2] s) <float[2,3] t> {
      t = Transpose(x)  s = Shape(t) })",
                                   {.fold = FoldOptions()});
  EXPECT_THAT(result, HasSubstr("s =  {3,2}"));
}

TEST_F(Sanitize, ShapesThatContradictTheNodesAreRefused) {
  for (const std::vector<Dimension>& shape :
       {std::vector<Dimension>{{2, ""}, {5, ""}}, std::vector<Dimension>{{2, ""}, {3, ""}, {5, ""}}}) {
    model::Model model = parse("g (float[N,3] x, float[3,4] w) => (float[N,4] y) { y = MatMul(x, w) }");
    const base::Status status = sanitize(model, {.input_shapes = {{"x", shape}}}, engine(), log_);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message(),
                testing::AllOf(HasSubstr("these shapes contradict the model: MatMul 'y' (node #0)"),
                               HasSubstr("--override-input-shapes")));
  }
}

TEST_F(Sanitize, AShapeForAnUnknownInputIsAnError) {
  model::Model model = parse(kBody);
  const base::Status status = sanitize(model, {.input_shapes = {{"z", {{1, ""}}}}}, engine(), log_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "the model has no input tensor 'z' (in --override-input-shapes). Its inputs are: x");
}

TEST_F(Sanitize, StepsBuildOnEachOther) {
  SanitizeOptions options;
  options.input_shapes = {{"x", {{4, ""}, {4, ""}}}};
  options.outputs.exclude = {"y"};
  options.fold = FoldOptions();
  options.toposort = true;
  EXPECT_EQ(after(kBody, options), text(parse("g (float[4,4] x) => (int64[2] h) <int64[2] h = {2,8}> {}")));
}

TEST_F(Sanitize, CleansUpAndSorts) {
  EXPECT_EQ(after(kBody, {.infer_shapes = false, .cleanup = true, .toposort = true}),
            text(parse(R"(g (float[N,4] x) => (float[M,8] y, int64[2] h) <int64[2] s = {-1,8}> {
                a = Reshape(x, s)  h = Shape(a)  y = Neg(a) })")));
}

TEST_F(Sanitize, ShapesCanComeFromARun) {
  SanitizeOptions options;
  options.infer_shapes = false;
  options.run_for_shapes = [](std::span<const tensor::TensorSpec> ports) -> base::Expected<tensor::NamedTensors> {
    tensor::NamedTensors values;
    values.set(ports[0].name, tensor::Tensor::of(tensor::ElementType::float32, {6, 4}, std::vector<float>(24)));
    return values;
  };
  EXPECT_THAT(after(kBody, options), HasSubstr("g (float[6,4] x) => (float[3,8] y, int64[2] h)"));
}

// ONNX Runtime refuses a graph in which two nodes have the same name.
TEST_F(Sanitize, ABranchWithNamesOfTheGraphAroundItStillRuns) {
  model::Model model = parse(R"(g (float[2] x) => (float[2] y) <bool c = {1}> {
      ["n"] a = Relu(x)
      y = If(c) <then_branch = t () => (float[2] t) { ["n"] t = Neg(a) },
                 else_branch = e () => (float[2] e) { ["n"] e = Exp(a) }> })");
  SanitizeOptions options;
  options.fold = FoldOptions();
  ASSERT_TRUE(sanitize(model, options, engine(), log_));
  EXPECT_EQ(text(model), text(parse(R"(g (float[2] x) => (float[2] y) { ["n"] a = Relu(x)  ["n_2"] y = Neg(a) })")));
  const auto x = tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, -2});
  const auto values = [&](std::span<const tensor::TensorSpec>) -> base::Expected<tensor::NamedTensors> {
    tensor::NamedTensors feeds;
    feeds.set("x", x);
    return feeds;
  };
  const auto seen = shapes_by_running(model, {"y"}, values, engine(), log_);
  EXPECT_TRUE(seen) << seen.error().message();
}

TEST_F(Sanitize, BoundsComeAfterFolding) {
  SanitizeOptions options;
  options.fold = FoldOptions();
  options.bounds = {{"", 50}};
  const std::string bounded = after(R"(g (float[4] q) => (int64[K] y) <int64 z = {0}, int64 one = {1}, int64 h = {2}> {
      m = ReduceMax <keepdims = 0> (q)  n = Cast <to = 7> (m)  d = Mul(one, h)  y = Range(z, n, d) })",
                                    options);
  EXPECT_THAT(bounded, HasSubstr("n_upper_bound =  {50}"));
  EXPECT_THAT(bounded, HasSubstr("y = Range (z, n, d)"));
}

TEST_F(Sanitize, RunsOnlyTheStepsThatAreAskedFor) {
  base::test::TestLog log{base::Level::verbose};
  model::Model model = parse(kBody);
  ASSERT_TRUE(sanitize(model, {.infer_shapes = false}, engine(), log));
  EXPECT_EQ(text(model), text(parse(kBody)));
  EXPECT_EQ(log.text(), "");
  ASSERT_TRUE(sanitize(model, {.infer_shapes = true}, engine(), log));
  EXPECT_EQ(log.text(), "Sanitizing: infer-shapes\n");
}

}  // namespace
}  // namespace assay::surgeon
