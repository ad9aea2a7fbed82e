#include "surgeon/extract.h"

#include "base/test_log.h"
#include "model/inference/check.h"
#include "surgeon/fold/engine_test_support.h"
#include "surgeon/shapes_by_running.h"

namespace assay::surgeon {
namespace {

using model::Dimension;
using testing::HasSubstr;

constexpr auto kDiamond =
    R"(g (float[N,3] x, float[N,3] z) => (float[N,3] y, float[N,3] v) <float[3] w = {1,2,3}, float[3] k = {4,5,6}> {
    a = Abs(x)  b = Mul(a, w)  c = Neg(a)  d = Add(b, c)  y = Add(d, k)  v = Relu(z) })";

base::Expected<std::map<std::string, model::TensorInfo>> no_run(const std::vector<std::string>&) {
  ADD_FAILURE() << "the model was run";
  return base::fail(base::ErrorKind::engine, "no run");
}

base::Expected<model::Model> extracted(const model::Model& model, const ExtractOptions& options,
                                       const FindShapes& run = no_run) {
  base::SilentLog log;
  return extract(model, options, run, log);
}

void expect(const ExtractOptions& options, const std::string& after) {
  const auto part = extracted(parse(kDiamond), options);
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(text(*part), text(parse(after)));
}

TEST(Extract, KeepsTheAncestorsOfTheOutputsAndTheModelsInputs) {
  expect({.outputs = {{{.name = "d"}}}},
         R"(g (float[N,3] x, float[N,3] z) => (float[N,3] d) <float[3] w = {1,2,3}> {
              a = Abs(x)  b = Mul(a, w)  c = Neg(a)  d = Add(b, c) })");
}

TEST(Extract, CutsAtTheInputsInTheirOrder) {
  expect({.inputs = {{{.name = "c"}, {.name = "b"}}}, .outputs = {{{.name = "y"}}}},
         R"(g (float[N,3] c, float[N,3] b) => (float[N,3] y) <float[3] k = {4,5,6}> {
              d = Add(b, c)  y = Add(d, k) })");
}

// Split is kept for its second result.
TEST(Extract, AResultThatIsNowAnInputGetsAnotherName) {
  const model::Model model = parse("g (float[4] x) => (float[2] y) { a, b = Split(x)  y = Add(a, b) }",
                                   "ir_version: 8, opset_import: [\"\" : 13]");
  const auto part = extracted(
      model, {.inputs = {{{"a", std::vector<Dimension>{{2, ""}}, tensor::ElementType::float32}, {.name = "x"}}}});
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(text(*part),
            text(parse("g (float[2] a, float[4] x) => (float[2] y) { \"a/computed\", b = Split(x)  y = Add(a, "
                       "b) }",
                       "ir_version: 8, opset_import: [\"\" : 13]")));
  EXPECT_TRUE(model::check(*part));
}

TEST(Extract, TakesTypesAndShapesFromTheUser) {
  expect({.inputs = {{{"d", std::vector<Dimension>{{2, ""}, {-1, "M"}}, tensor::ElementType::float16}}},
          .outputs = {{{"y", {}, tensor::ElementType::float16}}}},
         "g (float16[2,M] d) => (float16[N,3] y) <float[3] k = {4,5,6}> { y = Add(d, k) }");
}

TEST(Extract, InfersTheShapesBehindAnInputThatGetsAnotherOne) {
  const auto part =
      extracted(parse(R"(g (int64 n, bool c, float[2,3] x) => (float[2,3] y, float[2,3] z) {
      z = Neg(x)
      y = Loop (n, c, x) <body = b (int64 i, bool d, float[2,3] a) => (bool e, float[2,3] r) {
        e = Identity(d)  r = Neg(a) }> })"),
                {.inputs = {{{.name = "n"}, {.name = "c"}, {"x", std::vector<Dimension>{{5, ""}, {3, ""}}, {}}}}});
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(model::tensor_info(part->graph().output(1)).shape->front().value, 5);
  EXPECT_FALSE(model::is_static(model::tensor_info(part->graph().node(1).attribute(0).g().input(2))));
}

TEST(Extract, WarnsOfTypesAndShapesThatContradictTheNodes) {
  const model::Model model = parse("g (float[N,3] x, float[3,4] w) => (float[N,4] y) { y = MatMul(x, w) }");
  const auto warnings = [&](const ExtractOptions& options) {
    base::test::TestLog log(base::Level::warning);
    EXPECT_TRUE(extract(model, options, no_run, log));
    return log.text();
  };
  EXPECT_EQ(warnings({.inputs = {{{"x", std::vector<Dimension>{{2, ""}, {3, ""}}, {}}, {.name = "w"}}}}), "");
  EXPECT_THAT(warnings({.inputs = {{{"x", std::vector<Dimension>{{2, ""}, {5, ""}}, {}}, {.name = "w"}}}}),
              testing::AllOf(HasSubstr("contradict the nodes: MatMul 'y' (node #0): "), HasSubstr("Incompatible")));
  EXPECT_THAT(warnings({.inputs = {{{"x", {}, tensor::ElementType::int64}, {.name = "w"}}}}),
              HasSubstr("have to have the same type, but are int64 and float32"));
  EXPECT_THAT(warnings({.outputs = {{{"y", {}, tensor::ElementType::int64}}}}), HasSubstr("declared as int64"));
}

TEST(Extract, AWeightCanBecomeAnInput) {
  expect({.inputs = {{{.name = "d"}, {.name = "k"}}}, .outputs = {{{.name = "y"}}}},
         "g (float[N,3] d, float[3] k) => (float[N,3] y) { y = Add(d, k) }");
}

TEST(Extract, ASparseWeightCanBecomeAnInput) {
  model::Model model = parse("g (float[2,3] x) => (float[2,4] y) { y = MatMul(x, w) }");
  onnx::SparseTensorProto& weight = *model.graph().add_sparse_initializer();
  weight.add_dims(3);
  weight.add_dims(4);
  weight.mutable_values()->set_name("w");
  weight.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  weight.mutable_values()->add_dims(1);
  weight.mutable_values()->add_float_data(1);
  weight.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  weight.mutable_indices()->add_dims(1);
  weight.mutable_indices()->add_int64_data(5);
  const auto part = extracted(model, {.inputs = {{{.name = "x"}, {.name = "w"}}}});
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(text(*part), text(parse("g (float[2,3] x, float[3,4] w) => (float[2,4] y) { y = MatMul(x, w) }")));
  EXPECT_EQ(part->graph().sparse_initializer_size(), 0);
}

TEST(Extract, NamesMissingInputs) {
  const auto part = extracted(parse(kDiamond), {.inputs = {{{.name = "b"}}}});
  ASSERT_FALSE(part);
  EXPECT_THAT(part.error().message(), HasSubstr("'x', 'z'"));
}

TEST(Extract, NamesTensorsLikeTheOneThatIsNotThere) {
  const model::Model model = parse("g (float[1] image) => (float[1] y) { conv_out = Abs(image)  y = Neg(conv_out) }");
  const auto part = extracted(model, {.outputs = {{{.name = "conv_uot"}}}});
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().kind, base::ErrorKind::not_found);
  EXPECT_THAT(part.error().message(), HasSubstr("Did you mean conv_out"));
  const auto other = extracted(model, {.inputs = {{{.name = "zzzzzz"}}}});
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("image, "));
}

TEST(Extract, TakesATensorThatTheModelListsTwiceOnce) {
  const auto part = extracted(parse("g (float[3] x) => (float[3] y, float[3] y) { y = Abs(x) }"), {});
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(text(*part), text(parse("g (float[3] x) => (float[3] y) { y = Abs(x) }")));
}

TEST(Extract, RejectsRepeatedNames) {
  const auto part = extracted(parse(kDiamond), {.outputs = {{{.name = "d"}, {.name = "d"}}}});
  ASSERT_FALSE(part);
  EXPECT_THAT(part.error().message(), HasSubstr("given twice"));
}

TEST(Extract, KeepsBodiesAndTheirCaptures) {
  const auto part = extracted(parse(R"(g (float[2] x, bool c) => (float[2] y) <float[2] w = {1,2}> {
      a = Abs(x)  b = Neg(a)
      r = If (c) <then_branch = t () => (float[2] t) { t = Add(a, w) },
                  else_branch = e () => (float[2] e) { e = Relu(b) }>
      y = Sqrt(r) })"),
                              {.inputs = {{{.name = "a"}, {.name = "c"}}}, .outputs = {{{.name = "r"}}}});
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(text(*part), text(parse(R"(g (float[2] a, bool c) => (float[2] r) <float[2] w = {1,2}> {
      b = Neg(a)
      r = If (c) <then_branch = t () => (float[2] t) { t = Add(a, w) },
                  else_branch = e () => (float[2] e) { e = Relu(b) }> })")));
}

constexpr auto kCustom = R"(g (float[2] x) => (float[K] y) { a = foo.Custom(x)  b = Neg(a)  y = Abs(b) })";
constexpr auto kCustomHeader = "ir_version: 8, opset_import: [\"\" : 17, \"foo\" : 1]";

TEST(Extract, RunsTheModelForShapesThatInferenceDoesNotFind) {
  std::vector<std::string> asked;
  const auto part = extracted(parse(kCustom, kCustomHeader), {.inputs = {{{.name = "b"}}}},
                              [&](const std::vector<std::string>& names) {
                                asked = names;
                                std::map<std::string, model::TensorInfo> seen;
                                seen["b"] = {tensor::ElementType::float32, std::vector<Dimension>{{2, ""}}};
                                return seen;
                              });
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_THAT(asked, testing::ElementsAre("b"));
  EXPECT_EQ(text(*part), text(parse("g (float[2] b) => (float[K] y) { y = Abs(b) }", kCustomHeader)));
}

TEST(Extract, RunsNothingIfTheUserGivesTheTypes) {
  const auto part = extracted(parse(kCustom, kCustomHeader),
                              {.inputs = {{{"b", std::vector<Dimension>{{5, ""}}, tensor::ElementType::float32}}}});
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(text(*part), text(parse("g (float[5] b) => (float[K] y) { y = Abs(b) }", kCustomHeader)));
}

class ExtractWithEngine : public EngineTest {};

TEST_F(ExtractWithEngine, TakesStaticShapesFromARun) {
  const model::Model model = parse(R"(g (float[N,3] x) => (int64[M,P] y) { a = Relu(x)  b = NonZero(a)  y = Neg(b) })");
  const MakeFeeds feeds = [](std::span<const tensor::TensorSpec> ports) -> base::Expected<tensor::NamedTensors> {
    tensor::NamedTensors values;
    values.set(ports[0].name, tensor::Tensor::of<float>(tensor::ElementType::float32, {2, 3}, {1, -1, 2, 0, 0, 5}));
    return values;
  };
  const FindShapes find = [&](const std::vector<std::string>& names) {
    return shapes_by_running(model, names, feeds, engine(), log_);
  };
  const auto part = extracted(model, {.inputs = {{{.name = "b"}}}, .run_for_shapes = true}, find);
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(text(*part), text(parse("g (int64[2,3] b) => (int64[2,3] y) { y = Neg(b) }")));
}

TEST_F(ExtractWithEngine, AModelThatCannotBeRunIsAnErrorOfTheEngine) {
  const model::Model model = parse(kCustom, kCustomHeader);
  const MakeFeeds feeds = [](std::span<const tensor::TensorSpec>) { return tensor::NamedTensors(); };
  const auto part = extracted(model, {.inputs = {{{.name = "b"}}}}, [&](const std::vector<std::string>& names) {
    return shapes_by_running(model, names, feeds, engine(), log_);
  });
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().kind, base::ErrorKind::engine);
  EXPECT_THAT(part.error().message(), HasSubstr("Custom"));
}

}  // namespace
}  // namespace assay::surgeon
