#include "surgeon/float16/convert_to_float16.h"

#include <filesystem>

#include "model/inference/check.h"
#include "model/load.h"
#include "model/serialize.h"
#include "model/weights/reference_weights.h"
#include "surgeon/graph/test_models.h"
#include "tests/support/paths.h"

namespace assay::surgeon {
namespace {

const std::string kHeader = R"(ir_version: 8, opset_import: ["" : 17])";

Float16Model convert(const model::Model& model) {
  auto converted = convert_to_float16(model);
  if (!converted) ADD_FAILURE() << converted.error().message();
  return converted ? *std::move(converted) : Float16Model();
}

// Models before and after, in ONNX's text format, which prints float16 values as bits: 1 is 15360, 2 is 16384.
Float16Model expect_converted(const std::string& before, const std::string& after,
                              const std::string& header = kHeader) {
  Float16Model converted = convert(parse(before, header));
  EXPECT_EQ(text(converted.model), text(parse(after, header)));
  const base::Status checked = model::full_check(converted.model);
  EXPECT_TRUE(checked) << checked.error().message();
  return converted;
}

TEST(ConvertToFloat16Test, CastsAtTheEdgesAndKeepsNamesInside) {
  const Float16Model converted = expect_converted(R"(g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] h> {
    h = Mul(x, w)
    y = Exp(h)
  })",
                                                  R"(g (float[2] x) => (float[2] y) <float16[2] w = {15360, 16384}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    h = Mul("x/float16", w)
    "y/float16" = Exp(h)
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
  EXPECT_EQ(converted.model.graph().value_info(0).type().tensor_type().elem_type(), onnx::TensorProto::FLOAT16);
  EXPECT_EQ(converted.float16_nodes, 2);
  EXPECT_EQ(converted.float32_nodes, 0);
}

// With results that other nodes read, operands that stay float32, operators that create values, and a body that reads a
// tensor of the graph around it.
TEST(ConvertToFloat16Test, ASecondConversionChangesNothing) {
  const Float16Model once = convert(parse(
      R"(g (float[1,1,2,2] x, bool c) => (float[1,1,N,M] y, float[1,1,2,2] z, float[1,1,2,2] i)
           <float[4] scales = {1, 1, 2, 2}, float[2,2] w = {1, 2, 3, 4}> {
    h = MatMul(x, w)
    z = Relu(h)
    r = RandomUniformLike(z)
    n = MeanVarianceNormalization(h)
    m = Add(r, n)
    i = If(c) <then_branch = t () => (float[1,1,2,2] o) { o = Add(m, x) },
               else_branch = e () => (float[1,1,2,2] p) { p = MeanVarianceNormalization(z) }>
    y = Resize<mode = "nearest">(m, , scales)
  })",
      kHeader));
  const Float16Model twice = convert(once.model);
  EXPECT_EQ(text(twice.model), text(once.model));
  EXPECT_GT(once.float16_nodes, 0);
}

TEST(ConvertToFloat16Test, CastsThatReadersDoNotNeedInFloat32BecomeFloat16) {
  expect_converted(R"(g (float16[2] x) => (float16[2] y) {
    a = Cast<to: int = 1>(x)
    b = Exp(a)
    y = Cast<to: int = 10>(b)
  })",
                   R"(g (float16[2] x) => (float16[2] y) {
    a = Cast<to: int = 10>(x)
    b = Exp(a)
    y = Cast<to: int = 10>(b)
  })");
}

TEST(ConvertToFloat16Test, OtherTypesStay) {
  const std::string model = R"(g (double[2] x, int64[2] i) => (double[2] y, int64[2] j) {
    y = Exp(x)
    j = Add(i, i)
  })";
  expect_converted(model, model);
}

TEST(ConvertToFloat16Test, WhoReadsAnOutputGetsItByWayOfTheOutput) {
  expect_converted(R"(g (float[2] x) => (float[2] y, float[2] z) {
    y = Exp(x)
    z = Log(y)
  })",
                   R"(g (float[2] x) => (float[2] y, float[2] z) {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    "y/float16" = Exp("x/float16")
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
    ["y/float16_1/Cast"] "y/float16_1" = Cast<to: int = 10>(y)
    "z/float16" = Log("y/float16_1")
    ["z/Cast"] z = Cast<to: int = 1>("z/float16")
  })");
}

TEST(ConvertToFloat16Test, OperandsThatCannotBeFloat16StayFloat32) {
  expect_converted(R"(g (float[1,1,2,2] x) => (float[1,1,N,M] y) <float[4] scales = {1, 1, 2, 2}> {
    h = Relu(x)
    y = Resize<mode = "nearest">(h, , scales)
  })",
                   R"(g (float[1,1,2,2] x) => (float[1,1,N,M] y) <float[4] scales = {1, 1, 2, 2}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    h = Relu("x/float16")
    "y/float16" = Resize<mode = "nearest">(h, , scales)
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
}

TEST(ConvertToFloat16Test, NodesThatCannotBeFloat16HaveCastsRoundThem) {
  const Float16Model converted =
      expect_converted(R"(g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, int64 axis = {0}> {
    a = Add(x, w)
    b = CumSum(a, axis)
    c = Mul(b, w)
    y = CumSum(c, axis)
  })",
                       R"(g (float[2] x) => (float[2] y) <float16[2] w = {15360, 16384}, int64 axis = {0}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    a = Add("x/float16", w)
    ["a/float32/Cast"] "a/float32" = Cast<to: int = 1>(a)
    b = CumSum("a/float32", axis)
    ["b/float16/Cast"] "b/float16" = Cast<to: int = 10>(b)
    c = Mul("b/float16", w)
    ["c/float32/Cast"] "c/float32" = Cast<to: int = 1>(c)
    y = CumSum("c/float32", axis)
  })",
                       R"(ir_version: 8, opset_import: ["" : 13])");
  EXPECT_EQ(converted.float16_nodes, 2);
  EXPECT_EQ(converted.float32_nodes, 2);
  EXPECT_EQ(converted.unknown_nodes, 0);
}

TEST(ConvertToFloat16Test, AWeightThatIsReadInBothIsThereInBoth) {
  expect_converted(
      R"(g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 1, 2}, int64 zero = {0}, int64[2] i = {1, 2}> {
    c = Constant<value_floats = [1.0, 2.0, 2.0, 1.0]>()
    a = Add(x, w)
    b = Mul(a, c)
    t = TfIdfVectorizer<max_gram_length: int = 1, max_skip_count: int = 0, min_gram_length: int = 1, mode = "TF",
        ngram_counts = [0], ngram_indexes = [0, 1, 2, 3], pool_int64s = [1, 2, 3, 4]>(i)
    u = CumSum(w, zero)
    v = CumSum(c, zero)
    y = Sum(b, t, u, v)
  })",
      R"(g (float[4] x) => (float[4] y)
      <float16[4] w = {15360, 16384, 15360, 16384}, int64 zero = {0}, int64[2] i = {1, 2}, float[4] "w/float32" = {1, 2, 1, 2}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    "c/float32" = Constant<value_floats = [1.0, 2.0, 2.0, 1.0]>()
    c = Constant<value = float16[4] {15360, 16384, 16384, 15360}>()
    a = Add("x/float16", w)
    b = Mul(a, c)
    t = TfIdfVectorizer<max_gram_length: int = 1, max_skip_count: int = 0, min_gram_length: int = 1, mode = "TF",
        ngram_counts = [0], ngram_indexes = [0, 1, 2, 3], pool_int64s = [1, 2, 3, 4]>(i)
    ["t/float16/Cast"] "t/float16" = Cast<to: int = 10>(t)
    u = CumSum("w/float32", zero)
    ["u/float16/Cast"] "u/float16" = Cast<to: int = 10>(u)
    v = CumSum("c/float32", zero)
    ["v/float16/Cast"] "v/float16" = Cast<to: int = 10>(v)
    "y/float16" = Sum(b, "t/float16", "u/float16", "v/float16")
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })",
      R"(ir_version: 8, opset_import: ["" : 13])");
}

TEST(ConvertToFloat16Test, NodesThatAreAddedGetNamesThatAreUnused) {
  expect_converted(R"(g (float[2] x) => (float[2] y) <int64 zero = {0}> {
    ["c"] c = Constant<value_floats = [1.0, 2.0]>()
    ["x/float16/Cast"] a = Mul(x, c)
    ["c_2"] b = CumSum(c, zero)
    y = Sum(a, b)
  })",
                   R"(g (float[2] x) => (float[2] y) <int64 zero = {0}> {
    ["x/float16/Cast_2"] "x/float16" = Cast<to: int = 10>(x)
    ["c_3"] "c/float32" = Constant<value_floats = [1.0, 2.0]>()
    ["c"] c = Constant<value = float16[2] {15360, 16384}>()
    ["x/float16/Cast"] a = Mul("x/float16", c)
    ["c_2"] b = CumSum("c/float32", zero)
    ["b/float16/Cast"] "b/float16" = Cast<to: int = 10>(b)
    "y/float16" = Sum(a, "b/float16")
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })",
                   R"(ir_version: 8, opset_import: ["" : 13])");
}

TEST(ConvertToFloat16Test, AttributesThatNameATypeNameFloat16) {
  expect_converted(R"(g (int64[2] s) => (float[N, M] y) {
    a = Cast<to = 1>(s)
    b = ConstantOfShape<value = float[1] {1}>(s)
    c = ConstantOfShape(s)
    f = Constant<value_float = 2.0>()
    h = Cast<to = 11>(a)
    y = Sum(a, b, c, f)
  })",
                   R"(g (int64[2] s) => (float[N, M] y) {
    a = Cast<to = 10>(s)
    b = ConstantOfShape<value = float16[1] {15360}>(s)
    c = ConstantOfShape<value = float16[1] {0}>(s)
    f = Constant<value = float16 {16384}>()
    h = Cast<to = 11>(a)
    "y/float16" = Sum(a, b, c, f)
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
}

TEST(ConvertToFloat16Test, BodiesSeeTensorsOfTheGraphAroundThem) {
  expect_converted(R"(g (bool c, float[2] x) => (float[2] y) <float[2] w = {1, 2}, int64 zero = {0}> {
    y = If(c) <then_branch = g1 () => (float[2] t) { s = Mul(x, w)  t = CumSum(s, zero) },
               else_branch = g2 () => (float[2] e) <float[2] v = {2, 1}> { e = Add(x, v) }>
  })",
                   R"(g (bool c, float[2] x) => (float[2] y) <float16[2] w = {15360, 16384}, int64 zero = {0}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    "y/float16" = If(c) <then_branch = g1 () => (float16[2] "t/float16") {
                    s = Mul("x/float16", w)
                    ["s/float32/Cast"] "s/float32" = Cast<to: int = 1>(s)
                    t = CumSum("s/float32", zero)
                    ["t/float16/Cast"] "t/float16" = Cast<to: int = 10>(t)
                  },
               else_branch = g2 () => (float16[2] e) <float16[2] v = {16384, 15360}> { e = Add("x/float16", v) }>
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })",
                   R"(ir_version: 8, opset_import: ["" : 13])");
}

TEST(ConvertToFloat16Test, LoopCarriedValuesAreFloat16) {
  expect_converted(R"(g (int64 n, float[2] x) => (float[2] y) {
    y = Loop(n, , x) <body = b (int64 i, bool c, float[2] s) => (bool d, float[2] t) { d = Identity(c)  t = Exp(s) }>
  })",
                   R"(g (int64 n, float[2] x) => (float[2] y) {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    "y/float16" = Loop(n, , "x/float16")
        <body = b (int64 i, bool c, float16[2] s) => (bool d, float16[2] t) { d = Identity(c)  t = Exp(s) }>
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
}

TEST(ConvertToFloat16Test, OperatorsThatOnnxDoesNotKnowStay) {
  const Float16Model converted = convert(parse(R"(g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
    a = Exp(x)
    b = other.Thing(a, w)
    y = Mul(b, w)
  })",
                                               R"(ir_version: 8, opset_import: ["" : 17, "other" : 1])"));
  EXPECT_EQ(text(converted.model), text(parse(R"(g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    a = Exp("x/float16")
    ["a/float32/Cast"] "a/float32" = Cast<to: int = 1>(a)
    b = other.Thing("a/float32", w)
    y = Mul(b, w)
  })",
                                              R"(ir_version: 8, opset_import: ["" : 17, "other" : 1])")));
  EXPECT_EQ(converted.unknown_nodes, 2);
}

TEST(ConvertToFloat16Test, FunctionsAreInlined) {
  const Float16Model converted = convert(parse(R"(g (float[2] x) => (float[2] y) { y = local.twice(x) }
    <domain: "local", opset_import: ["" : 17]> twice (a) => (b) { two = Constant<value_float = 2.0>()  b = Mul(a, two) })",
                                               R"(ir_version: 8, opset_import: ["" : 17, "local" : 1])"));
  EXPECT_EQ(converted.model.proto.functions_size(), 0);
  EXPECT_EQ(converted.float16_nodes, 2);
  EXPECT_TRUE(model::full_check(converted.model));
}

TEST(ConvertToFloat16Test, ValuesThatDoNotFitAreCounted) {
  const Float16Model converted =
      expect_converted(R"(g (float[3] x) => (float[3] y) <float[3] w = {1e30, -65520, 1e-30}> { y = Mul(x, w) })",
                       R"(g (float[3] x) => (float[3] y) <float16[3] w = {31743, 64511, 1}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    "y/float16" = Mul("x/float16", w)
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
  EXPECT_EQ(converted.changes.too_large, 2);
  EXPECT_EQ(converted.changes.too_small, 1);
  ASSERT_EQ(converted.changed_weights.size(), 1U);
  EXPECT_EQ(converted.changed_weights.at("w").too_large, 2);
}

TEST(ConvertToFloat16Test, WeightsWithValuesThatDoNotFitAreNamed) {
  const Float16Model converted =
      convert(parse(R"(g (float[1] x) => (float[1] y) <float[1] fits = {2}, float[1] tiny = {1e-30}> {
    large = Constant <value = float[1] {1e30}> ()  a = Mul(x, large)  b = Mul(a, fits)  y = Mul(b, tiny) })"));
  ASSERT_EQ(converted.changed_weights.size(), 2U);
  EXPECT_EQ(converted.changed_weights.at("large").too_large, 1);
  EXPECT_EQ(converted.changed_weights.at("tiny").too_small, 1);
}

TEST(ConvertToFloat16Test, InputsAsOutputsAndWeightsAsOutputsStay) {
  expect_converted(R"(g (float[2] x) => (float[2] x, float[2] w, float[2] y) <float[2] w = {1, 2}> { y = Mul(x, w) })",
                   R"(g (float[2] x) => (float[2] x, float[2] w, float[2] y)
      <float[2] w = {1, 2}, float16[2] "w/float16" = {15360, 16384}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    "y/float16" = Mul("x/float16", "w/float16")
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
}

// Callers may set them. Before IR version 4, all initializers were inputs.
TEST(ConvertToFloat16Test, InputsWithAValueStayFloat32) {
  const std::string before = "g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { y = Mul(x, w) }";
  const Float16Model converted =
      expect_converted(before, R"(g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    ["w/float16/Cast"] "w/float16" = Cast<to: int = 10>(w)
    "y/float16" = Mul("x/float16", "w/float16")
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
  EXPECT_THAT(converted.inputs_with_values, testing::ElementsAre("w"));
  const Float16Model old =
      expect_converted(before, R"(g (float[2] x, float16[2] w) => (float[2] y) <float16[2] w = {15360, 16384}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    "y/float16" = Mul("x/float16", w)
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })",
                       R"(ir_version: 3, opset_import: ["" : 9])");
  EXPECT_THAT(old.inputs_with_values, testing::IsEmpty());
}

TEST(ConvertToFloat16Test, ValuesAreCreatedInFloat32) {
  const Float16Model converted =
      expect_converted(R"(g (float[2] x, int32[2, 2] m) => (float[N, M] y) <int64 size = {2}> {
    a = Relu(x)
    b = RandomNormal<shape = [2]>()
    c = RandomUniformLike<dtype = 1>(a)
    d = Bernoulli(a)
    e = EyeLike<dtype = 1>(m)
    f = HannWindow(size)
    y = Sum(b, c, d, e, f)
  })",
                       R"(g (float[2] x, int32[2, 2] m) => (float[N, M] y) <int64 size = {2}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    a = Relu("x/float16")
    ["a/float32/Cast"] "a/float32" = Cast<to: int = 1>(a)
    b = RandomNormal<shape = [2]>()
    ["b/float16/Cast"] "b/float16" = Cast<to: int = 10>(b)
    c = RandomUniformLike<dtype = 1>("a/float32")
    ["c/float16/Cast"] "c/float16" = Cast<to: int = 10>(c)
    d = Bernoulli("a/float32")
    ["d/float16/Cast"] "d/float16" = Cast<to: int = 10>(d)
    e = EyeLike<dtype = 1>(m)
    ["e/float16/Cast"] "e/float16" = Cast<to: int = 10>(e)
    f = HannWindow(size)
    ["f/float16/Cast"] "f/float16" = Cast<to: int = 10>(f)
    "y/float16" = Sum("b/float16", "c/float16", "d/float16", "e/float16", "f/float16")
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
  EXPECT_EQ(converted.float32_nodes, 5);
  EXPECT_EQ(converted.unknown_nodes, 0);
}

// Its definition in ONNX adds a float32 constant to the input.
TEST(ConvertToFloat16Test, AFunctionWithConstantsOfFloat32Stays) {
  expect_converted(R"(g (float[1, 2] x) => (float[1, 2] y) {
    a = Relu(x)
    y = MeanVarianceNormalization<axes = [1]>(a)
  })",
                   R"(g (float[1, 2] x) => (float[1, 2] y) {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    a = Relu("x/float16")
    ["a/float32/Cast"] "a/float32" = Cast<to: int = 1>(a)
    y = MeanVarianceNormalization<axes = [1]>("a/float32")
  })");
}

// With the type as it was, the checker would find an optional of float32 where the Loop's state is one of float16.
TEST(ConvertToFloat16Test, TheTypeOfAnEmptyOptionalIsFloat16) {
  model::Model model = parse(R"(g (float[2] x) => (bool y) { o = Optional()  y = OptionalHasElement(o) })");
  onnx::AttributeProto& type = *model.graph().mutable_node(0)->add_attribute();
  type.set_name("type");
  type.set_type(onnx::AttributeProto::TYPE_PROTO);
  type.mutable_tp()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  const Float16Model converted = convert(model);
  EXPECT_EQ(converted.model.graph().node(0).attribute(0).tp().tensor_type().elem_type(), onnx::TensorProto::FLOAT16);
}

TEST(ConvertToFloat16Test, SequencesInsideBecomeFloat16) {
  expect_converted(R"(g (float[2] x) => (float[2] y) <int64 zero = {0}> {
    e = SequenceEmpty()
    s = SequenceInsert(e, x)
    y = SequenceAt(s, zero)
  })",
                   R"(g (float[2] x) => (float[2] y) <int64 zero = {0}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    e = SequenceEmpty<dtype = 10>()
    s = SequenceInsert(e, "x/float16")
    "y/float16" = SequenceAt(s, zero)
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
}

// The sequence `s` is an output, `t` could be float16, and the nodes of both stay float32.
TEST(ConvertToFloat16Test, SequencesThatHaveToStayKeepTheirNodesInFloat32) {
  const Float16Model converted =
      expect_converted(R"(g (float[2] x) => (float[2] y, seq(float[2]) s) <int64 zero = {0}> {
    a = Relu(x)
    s = SequenceConstruct(a)
    t = SequenceConstruct(a, a)
    b = SequenceAt(t, zero)
    y = Exp(b)
  })",
                       R"(g (float[2] x) => (float[2] y, seq(float[2]) s) <int64 zero = {0}> {
    ["x/float16/Cast"] "x/float16" = Cast<to: int = 10>(x)
    a = Relu("x/float16")
    ["a/float32/Cast"] "a/float32" = Cast<to: int = 1>(a)
    s = SequenceConstruct("a/float32")
    t = SequenceConstruct("a/float32", "a/float32")
    b = SequenceAt(t, zero)
    ["b/float16/Cast"] "b/float16" = Cast<to: int = 10>(b)
    "y/float16" = Exp("b/float16")
    ["y/Cast"] y = Cast<to: int = 1>("y/float16")
  })");
  EXPECT_EQ(converted.sequence_nodes, 3);
  EXPECT_EQ(converted.unknown_nodes, 0);
}

// If ONNX's checker accepts a model, it also accepts the model in float16.
TEST(ConvertToFloat16Test, RealModelsAndNodeTestsOfOnnxStayValid) {
  std::vector<std::filesystem::path> files = test::onnx_files(test::models_dir());
  if (const auto shared = test::shared_dir()) {
    for (const auto& file : test::onnx_files(*shared / "models")) files.push_back(file);
  }
  if (const auto backend = test::onnx_backend_tests()) {
    for (const auto& folder : std::filesystem::directory_iterator(*backend / "node")) {
      if (std::filesystem::exists(folder.path() / "model.onnx")) files.push_back(folder.path() / "model.onnx");
    }
  }
  int valid = 0;
  for (const auto& file : files) {
    const auto model = model::load(file);
    if (!model || !model::full_check(*model)) continue;
    const auto converted = convert_to_float16(*model);
    ASSERT_TRUE(converted) << file << ": " << converted.error().message();
    const base::Status checked = model::full_check(converted->model);
    EXPECT_TRUE(checked) << file << ": " << checked.error().message();
    ++valid;
  }
  EXPECT_GT(valid, 0);
}

// Nodes 0 and 1 of the body come first: inner graphs are numbered before outer ones.
TEST(ConvertToFloat16Test, NodesThatAreKeptStayFloat32) {
  const model::Model model = parse(R"(g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
    h = Mul(x, w)
    k = Exp(h)
    y = Mul(k, w)
  })",
                                   kHeader);
  const auto converted = convert_to_float16(model, {.keep = {1}});
  ASSERT_TRUE(converted) << converted.error().message();
  const base::Status checked = model::full_check(converted->model);
  EXPECT_TRUE(checked) << checked.error().message();
  const auto& graph = converted->model.graph();
  std::map<std::string, std::vector<std::string>> inputs;
  for (const onnx::NodeProto& node : graph.node()) {
    if (node.op_type() != "Cast") inputs[node.op_type()] = {node.input().begin(), node.input().end()};
  }
  EXPECT_THAT(inputs["Exp"], testing::ElementsAre("h/float32"));
  EXPECT_THAT(inputs["Mul"], testing::ElementsAre("k/float16", "w"));
}

TEST(ConvertToFloat16Test, NodesAreListedByTheirNumbers) {
  const model::Model model = parse(R"(g (bool c, float[2] x, int64[2] i) => (float[2] y, int64[2] j) {
    y = If(c) <then_branch = t () => (float[2] a) { a = Exp(x) },
               else_branch = e () => (float[2] b) { b = Neg(x) }>
    j = Add(i, i)
    z = Relu(y)
  })",
                                   kHeader);
  EXPECT_THAT(float16_nodes(model), testing::ElementsAre(0, 1, 2, 4));
}

// Float16 has 11 bits: 2049 becomes 2048, and 1.0001 becomes 1.
TEST(ConvertToFloat16Test, OnlyRoundsValues) {
  const model::Model model = parse(R"(g (float[1] x) => (float[1] y) <float[1] w = {1.0001}> {
    h = Add(x, w)
    y = Exp(h)
  })",
                                   kHeader);
  const auto rounded = convert_to_float16(model, {.keep = {1}, .only_round = true});
  ASSERT_TRUE(rounded) << rounded.error().message();
  const base::Status checked = model::full_check(rounded->model);
  EXPECT_TRUE(checked) << checked.error().message();
  const auto& graph = rounded->model.graph();
  ASSERT_EQ(graph.initializer_size(), 1);
  EXPECT_EQ(graph.initializer(0).data_type(), onnx::TensorProto::FLOAT);
  const auto weight = model::read_weight(rounded->model, graph.initializer(0));
  ASSERT_TRUE(weight);
  EXPECT_EQ(weight->load<float>(0), 1.0F);
  std::vector<std::string> nodes;
  for (const onnx::NodeProto& node : graph.node()) {
    nodes.push_back(node.op_type() + "(" + node.input(0) + ") -> " + node.output(0));
  }
  EXPECT_THAT(nodes, testing::ElementsAre("Cast(x) -> x/float16/rounded", "Cast(x/float16/rounded) -> x/float16",
                                          "Add(x/float16) -> h/unrounded", "Cast(h/unrounded) -> h/rounded",
                                          "Cast(h/rounded) -> h", "Identity(h) -> h/float32", "Exp(h/float32) -> y"));
}

// Returns a model with a weight of 4096 bytes, read from bytes.
model::Model model_with_weight() {
  onnx::ModelProto proto = parse("g (float[1024] x) => (float[1024] y) { y = Add(x, w) }", kHeader).proto;
  onnx::TensorProto& weight = *proto.mutable_graph()->add_initializer();
  weight.set_name("w");
  weight.set_data_type(onnx::TensorProto::FLOAT);
  weight.add_dims(1024);
  weight.set_raw_data(std::string(4096, '\0'));
  return model::load_bytes(proto.SerializeAsString(), {}).value();
}

// A model that came as bytes has no folder for external data, so none of it is loaded.
TEST(ConvertToFloat16Test, WeightsOfAModelInMemoryAreSaved) {
  const Float16Model converted = convert(model_with_weight());
  const auto bytes = model::serialize(converted.model);
  ASSERT_TRUE(bytes) << bytes.error().message();
  onnx::ModelProto saved;
  ASSERT_TRUE(saved.ParseFromString(*bytes));
  EXPECT_EQ(saved.graph().initializer(0).raw_data().size(), 2048U);
}

// An engine opens that file by its path.
TEST(ConvertToFloat16Test, LargeWeightsGoToAFileOfTheirOwn) {
  Float16Model converted = convert(model_with_weight());
  auto referenced = model::serialize_by_reference(converted.model, 0);
  ASSERT_TRUE(referenced) << referenced.error().message();
  const std::filesystem::path folder = referenced->external_data_dir;
  EXPECT_TRUE(std::filesystem::exists(folder));
  int weights = 0;
  model::visit_tensors(converted.model.proto, [&](const onnx::TensorProto& tensor, model::TensorRole) {
    EXPECT_NE(tensor.data_type(), onnx::TensorProto::FLOAT) << tensor.name();
    EXPECT_TRUE(model::read_weight(converted.model, tensor)) << tensor.name();
    ++weights;
  });
  EXPECT_EQ(weights, 1);
  EXPECT_TRUE(model::serialize(converted.model));
  converted = Float16Model();
  EXPECT_TRUE(std::filesystem::exists(folder)) << "an engine may still load the bytes";
  referenced = model::ReferencedModel();
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace assay::surgeon
