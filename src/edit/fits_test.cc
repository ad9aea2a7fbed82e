#include "edit/fits.h"

#include <gtest/gtest.h>

namespace assay::edit {
namespace {

using tensor::ElementType;

// Returns whether two floats fit a tensor of which this is known; the size -1 is open.
bool two_floats_fit(ElementType type, const std::optional<tensor::Shape>& shape = std::nullopt) {
  model::TensorInfo known;
  known.type = type;
  if (shape) known.shape.emplace();
  for (const std::int64_t size : shape.value_or(tensor::Shape{})) known.shape->push_back({.value = size, .symbol = {}});
  return fits(tensor::Tensor::of<float>(ElementType::float32, {2}, {1, 2}), known);
}

TEST(Fits, ATensorOfTheSameTypeAndShape) {
  EXPECT_TRUE(two_floats_fit(ElementType::float32, tensor::Shape{2}));
  EXPECT_TRUE(two_floats_fit(ElementType::float32, tensor::Shape{-1}));
  EXPECT_FALSE(two_floats_fit(ElementType::float32, tensor::Shape{3}));
  EXPECT_FALSE(two_floats_fit(ElementType::float32, tensor::Shape{1, 2}));
  EXPECT_FALSE(two_floats_fit(ElementType::float32, tensor::Shape{}));
}

TEST(Fits, TheTypeCountsEvenIfTheShapeIsUnknown) {
  EXPECT_TRUE(two_floats_fit(ElementType::float32));
  EXPECT_TRUE(two_floats_fit(ElementType::undefined));
  EXPECT_FALSE(two_floats_fit(ElementType::float64));
}

TEST(Fits, AnythingOfWhichNothingIsKnown) {
  const tensor::Tensor value = tensor::Tensor::of<float>(ElementType::float32, {2}, {1, 2});
  onnx::ValueInfoProto known;
  EXPECT_TRUE(fits(value, nullptr));
  EXPECT_TRUE(fits(value, &known));
  known.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
  EXPECT_FALSE(fits(value, &known));
}

}  // namespace
}  // namespace assay::edit
