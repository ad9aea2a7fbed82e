#include "surgeon/weights/strip_weights.h"

#include "base/test_log.h"
#include "base/test_status_log.h"
#include "surgeon/graph/test_models.h"
#include "surgeon/weights/prune_weights.h"
#include "surgeon/weights/reconstruct_weights.h"
#include "surgeon/weights/sparse_groups.h"
#include "tensor/convert.h"

namespace assay::surgeon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const base::Stop kNeverStopped;

// A model in which two MatMuls read weights of 8 x 16, one of them sparse, and an Add reads a third one.
model::Model make_model(tensor::ElementType type = tensor::ElementType::float32) {
  model::Model model = parse(R"(g (float[2,8] x) => (float[2,16] y) {
      a = MatMul(x, dense)  b = MatMul(x, sparse)  c = Add(a, b)  y = Add(c, added) })");
  std::vector<double> dense(8 * 16);
  std::vector<double> sparse(8 * 16);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    dense[i] = 1 + static_cast<double>(i);
    sparse[i] = i / 16 % 2 == 0 ? 0 : 1;
  }
  for (const auto& [name, values] :
       {std::pair("dense", dense), std::pair("sparse", sparse), std::pair("added", dense)}) {
    const auto shape = name == std::string("added") ? tensor::Shape{1, 16} : tensor::Shape{8, 16};
    const std::span<const double> used = std::span(values).first(tensor::element_count(shape).value());
    *model.graph().add_initializer() = model::to_proto(name, tensor::from_doubles(type, shape, used));
  }
  return model;
}

std::map<std::string, std::string> marks(const model::Model& model) {
  std::map<std::string, std::string> found;
  for (const onnx::TensorProto& weight : model.graph().initializer()) found[weight.name()] = weight.doc_string();
  return found;
}

TEST(StripWeights, EmptiesAndMarksWeightsOfMatMul) {
  model::Model model = make_model();
  base::test::TestLog log(base::Level::warning);
  const auto result = strip_weights(model, {}, log);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->stripped, 2);
  EXPECT_EQ(result->sparse, 1);
  EXPECT_EQ(result->bytes, 2u * 8 * 16 * 4);
  EXPECT_THAT(marks(model), ElementsAre(testing::Pair("added", ""), testing::Pair("dense", "TRT_WEIGHTLESS/"),
                                        testing::Pair("sparse", "TRT_WEIGHTLESS/SPARSE_2_4")));
  EXPECT_TRUE(is_stripped(model.graph().initializer(0)));
  EXPECT_EQ(model.graph().initializer(0).dims_size(), 2);
  EXPECT_FALSE(is_stripped(model.graph().initializer(2)));
}

TEST(StripWeights, MarksTheModelIfAWeightWasEmptied) {
  base::test::TestLog log(base::Level::warning);
  model::Model model = make_model();
  ASSERT_TRUE(strip_weights(model, {"dense", "sparse"}, log));
  EXPECT_EQ(model.proto.doc_string(), "");
  ASSERT_TRUE(strip_weights(model, {"dense"}, log));
  EXPECT_EQ(model.proto.doc_string(), "TRT_WEIGHTLESS");
  model.proto.set_doc_string("exported");
  ASSERT_TRUE(strip_weights(model, {}, log));
  EXPECT_EQ(model.proto.doc_string(), "exported-TRT_WEIGHTLESS");
}

TEST(StripWeights, SparseInitializersStayAndAreCounted) {
  model::Model model = parse("g (float[2,8] x) => (float[2,16] y) { y = MatMul(x, s) }");
  onnx::SparseTensorProto& sparse = *model.graph().add_sparse_initializer();
  sparse.mutable_values()->set_name("s");
  sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse.add_dims(8);
  sparse.add_dims(16);
  base::test::TestLog log(base::Level::warning);
  const auto result = strip_weights(model, {}, log);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->stripped, 0);
  EXPECT_EQ(result->stored_sparse, 1);
  const auto excluded = strip_weights(model, {"s"}, log);
  EXPECT_EQ(excluded->stored_sparse, 0);
  EXPECT_THAT(excluded->not_found, testing::IsEmpty());
}

TEST(StripWeights, KeepsExcludedWeightsAndNamesUnknownOnes) {
  model::Model model = make_model();
  base::test::TestLog log(base::Level::warning);
  const auto result = strip_weights(model, {"dense", "nowhere"}, log);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stripped, 1);
  EXPECT_THAT(result->not_found, ElementsAre("nowhere"));
  EXPECT_EQ(marks(model).at("dense"), "");
}

// ONNX stores them in a field of their own, and weight-reconstruct can't generate them.
TEST(StripWeights, StringsStay) {
  model::Model model = parse(
      "g () => (int64[2] y) <string[2] words = {\"a\", \"b\"}> { y = ai.onnx.ml.LabelEncoder <keys_strings = "
      "[\"a\", \"b\"], values_int64s = [1, 2]> (words) }");
  base::test::TestLog log(base::Level::warning);
  const auto result = strip_weights(model, {}, log);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->stripped, 0);
  EXPECT_THAT(model.graph().initializer(0).string_data(), ElementsAre("a", "b"));
  EXPECT_FALSE(model.graph().initializer(0).has_raw_data());
}

TEST(StripWeights, StrippingAgainFindsNothing) {
  model::Model model = make_model();
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(strip_weights(model, {}, log));
  const auto again = strip_weights(model, {}, log);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->stripped, 0);
}

TEST(StripWeights, CountsConstantNodesThatStay) {
  model::Model model = parse(
      "g (float[1,2] x) => (float[1,1] y) "
      "{ w = Constant <value = float[2,1] {1, 2}> ()  y = MatMul(x, w) }");
  base::test::TestLog log(base::Level::warning);
  const auto result = strip_weights(model, {}, log);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->in_constants, 1);
  EXPECT_EQ(result->stripped, 0);
}

// Polygraphy 0.53.6 empties the same weights of this model.
TEST(StripWeights, LooksThroughNodesAtTheInputsAtWhichPolygraphyDoes) {
  model::Model model = parse(R"(g (float[2,2] x, float[1,1,2,2] image) => (float[2,2] y, float[1,1,2,2] z)
      <float[2,2] turned = {1, 2, 3, 4}, float scale = {1}, uint8 zero = {0}, float[1,1,2,2] data = {1, 2, 3, 4},
       float[1,1,1,1] kernel = {2}, float[1,1,1,1] quantized = {3}, uint8[2] packed = {1, 2}> {
        t = Transpose(turned)
        m = MatMul(x, t)
        q = QuantizeLinear(data, scale, zero)
        d = DequantizeLinear(q, scale, zero)
        c = Conv(d, kernel)
        kq = QuantizeLinear(quantized, scale, zero)
        kd = DequantizeLinear(kq, scale, zero)
        z0 = Conv(image, kd)
        z = Add(c, z0)
        y = test.Plugin(m, packed)
      })");
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(strip_weights(model, {}, log));
  std::vector<std::string> emptied;
  for (const auto& [name, mark] : marks(model)) {
    if (!mark.empty()) emptied.push_back(name);
  }
  EXPECT_THAT(emptied, ElementsAre("data", "kernel", "turned"));
}

TEST(ReconstructWeights, ShowsOnATerminalHowFarItIs) {
  model::Model model = make_model();
  base::test::StatusLog log;
  ASSERT_TRUE(strip_weights(model, {}, log));
  log.lines.clear();
  ASSERT_TRUE(reconstruct_weights(model, log, kNeverStopped));
  ASSERT_GE(log.lines.size(), 2u);
  EXPECT_EQ(log.lines.front(), "Made up values: 512 B of 1.0 KiB");
  EXPECT_EQ(log.lines.back(), "");
}

TEST(ReconstructWeights, FillsEmptyWeightsOfAnyType) {
  using enum tensor::ElementType;
  for (const tensor::ElementType type : {float32, float16, bfloat16, float64, int32, int4}) {
    model::Model model = make_model(type);
    const model::Model before = model;
    base::test::TestLog log(base::Level::warning);
    ASSERT_TRUE(strip_weights(model, {}, log));
    const auto filled = reconstruct_weights(model, log, kNeverStopped);
    ASSERT_TRUE(filled) << filled.error().message();
    EXPECT_EQ(*filled, 2);
    for (int i = 0; i < 3; ++i) {
      const auto now = model::read_weight(model, model.graph().initializer(i));
      const auto old = model::read_weight(before, before.graph().initializer(i));
      ASSERT_TRUE(now) << now.error().message();
      EXPECT_EQ(now->shape(), old->shape());
      EXPECT_EQ(now->type(), type);
      EXPECT_EQ(identical(*now, *old), i == 2) << tensor::name(type) << " " << i;
    }
    EXPECT_THAT(log.text(), IsEmpty());
  }
}

TEST(ReconstructWeights, SparseWeightsBecomeSparse) {
  model::Model model = make_model();
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(strip_weights(model, {}, log));
  ASSERT_TRUE(reconstruct_weights(model, log, kNeverStopped));
  const auto groups = find_sparse_groups(model);
  EXPECT_FALSE(is_sparse(model, model.graph().initializer(0), groups.at(&model.graph().initializer(0))).value());
  EXPECT_TRUE(is_sparse(model, model.graph().initializer(1), groups.at(&model.graph().initializer(1))).value());
}

TEST(ReconstructWeights, WarnsIfNoNodeSumsOverASparseWeight) {
  model::Model model = make_model();
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(strip_weights(model, {}, log));
  model.graph().mutable_node(1)->set_op_type("Identity");
  ASSERT_TRUE(reconstruct_weights(model, log, kNeverStopped));
  EXPECT_THAT(log.text(), HasSubstr("'sparse' is marked as sparse, but"));
}

TEST(ReconstructWeights, RejectsUnsupportedTypes) {
  model::Model model = make_model(tensor::ElementType::complex64);
  base::test::TestLog log(base::Level::warning);
  ASSERT_TRUE(strip_weights(model, {}, log));
  const auto filled = reconstruct_weights(model, log, kNeverStopped);
  ASSERT_FALSE(filled);
  EXPECT_THAT(filled.error().message(), HasSubstr("cannot generate values of type complex64 (in tensor 'dense')"));
}

TEST(PruneWeights, MakesWeightsSparseAndKeepsTheRest) {
  model::Model model = make_model();
  const model::Model before = model;
  const auto pruned = prune_weights(model, kNeverStopped);
  ASSERT_TRUE(pruned) << pruned.error().message();
  EXPECT_THAT(pruned->pruned, ElementsAre("dense", "sparse"));
  const auto values = [](const model::Model& of, int weight) {
    return tensor::to_doubles(model::read_weight(of, of.graph().initializer(weight)).value());
  };
  // Values increase with the row: rows 0 and 1 of 0 to 3, and rows 4 and 5 of 4 to 7, become zero.
  std::vector<double> expected = values(before, 0);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = i / 16 % 4 < 2 ? 0 : expected[i];
  EXPECT_EQ(values(model, 0), expected);
  EXPECT_EQ(values(model, 1), values(before, 1));
  EXPECT_EQ(values(model, 2), values(before, 2));
}

TEST(PruneWeights, NamesSparseInitializersThatStay) {
  model::Model model =
      parse("g (float[2,8] x, float[16,8] v) => (float y, float z) { y = MatMul(x, s) z = MatMul(s, v) }");
  onnx::SparseTensorProto& sparse = *model.graph().add_sparse_initializer();
  sparse.mutable_values()->set_name("s");
  sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  for (const int size : {8, 16}) sparse.add_dims(size);
  const auto result = prune_weights(model, kNeverStopped);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_THAT(result->pruned, ElementsAre());
  EXPECT_THAT(result->stored_sparse, ElementsAre("s"));
}

TEST(PruneWeights, AndReconstructionStopWhenAsked) {
  base::test::TestLog log(base::Level::warning);
  base::Stop stop;
  stop.request();
  model::Model model = make_model();
  const auto pruned = prune_weights(model, stop);
  ASSERT_FALSE(pruned);
  EXPECT_EQ(pruned.error().kind, base::ErrorKind::interrupted);
  ASSERT_TRUE(strip_weights(model, {}, log));
  const auto filled = reconstruct_weights(model, log, stop);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().kind, base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace assay::surgeon
