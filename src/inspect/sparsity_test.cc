#include "inspect/sparsity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/load.h"
#include "model/weights.h"
#include "tensor/convert.h"

namespace assay::inspect {
namespace {

using tensor::ElementType;
using testing::HasSubstr;

// A product with a weight [rows, 4 or more columns], summed over its rows.
model::Model product(ElementType type, const tensor::Shape& shape, const std::vector<float>& values) {
  model::Model model = model::parse_text(
                           "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                           "g (float[1,4] x) => (float y) { y = MatMul(x, w) }")
                           .value();
  const tensor::Tensor weight = tensor::Tensor::of<float>(ElementType::float32, shape, values);
  *model.graph().add_initializer() = model::to_proto("w", tensor::cast(weight, type).value());
  return model;
}

WeightSparsity measured(const model::Model& model) {
  WeightSparsity result;
  const auto totals = measure_sparsity(model, [&](const WeightSparsity& weight) { result = weight; });
  EXPECT_TRUE(totals) << totals.error().message();
  return result;
}

TEST(Sparsity, TwoZerosInEveryGroupAlongTheAxisAreSparse) {
  for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
    const WeightSparsity weight = measured(product(type, {4, 2}, {1, 0, 0, 2, -0.0F, 3, 4, 0}));
    EXPECT_EQ(weight.kind, WeightSparsity::Kind::sparse) << tensor::name(type);
    EXPECT_EQ(weight.groups, 2U);
    EXPECT_EQ(weight.zeros, 4U);
  }
}

TEST(Sparsity, OneGroupWithOneZeroIsNotSparse) {
  const WeightSparsity weight = measured(product(ElementType::float32, {8, 1}, {1, 0, 0, 2, 1, 0, 3, 4}));
  EXPECT_EQ(
      sparsity_text(weight),
      "w [dtype=float32, shape=(8, 1), axis=0] | not sparse: 1 of 2 groups have fewer than 2 zeros, 37.5 % zeros");
}

TEST(Sparsity, ExplainsWhyAWeightIsNotEligible) {
  EXPECT_THAT(sparsity_text(measured(product(ElementType::float32, {3, 1}, {0, 0, 0}))),
              HasSubstr("not eligible: 3 elements along the axis aren't a multiple of 4"));
  EXPECT_THAT(sparsity_text(measured(product(ElementType::float64, {4, 1}, {0, 0, 0, 0}))),
              HasSubstr("not eligible: its type is float64"));
}

TEST(Sparsity, SaysThatSparseInitializersAreNotMeasured) {
  model::Model model = product(ElementType::float32, {4, 1}, {1, 0, 0, 2});
  model.graph().clear_initializer();
  onnx::SparseTensorProto& sparse = *model.graph().add_sparse_initializer();
  sparse.mutable_values()->set_name("w");
  sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  for (const int size : {4, 1}) sparse.add_dims(size);
  EXPECT_EQ(sparsity_text(measured(model)),
            "w [dtype=float32, shape=(4, 1), axis=0] | not eligible: it is a sparse initializer, and only dense ones "
            "are measured");
}

TEST(Sparsity, CountsEligibleWeights) {
  const auto text = sparsity_json(product(ElementType::float32, {4, 1}, {1, 0, 0, 2}));
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ(nlohmann::json::parse(*text), nlohmann::json::parse(R"({"eligible": 1, "sparse": 1, "weights": [
      {"name": "w", "dtype": "float32", "shape": [4, 1], "axis": 0, "verdict": "sparse", "groups": 1,
       "sparse_groups": 1, "zeros": 2}]})"));
}

TEST(Sparsity, AWeightThatWasNotLoadedIsAnError) {
  model::Model model = product(ElementType::float32, {4, 1}, {1, 0, 0, 2});
  model.graph().mutable_initializer(0)->clear_raw_data();
  EXPECT_FALSE(measure_sparsity(model, [](const WeightSparsity&) {}));
}

}  // namespace
}  // namespace assay::inspect
