#include "tensor/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace assay::tensor {
namespace {

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

TEST(TensorTest, CountsElementsWithoutOverflow) {
  EXPECT_EQ(element_count({}), 1U);
  EXPECT_EQ(element_count({2, 3}), 6U);
  EXPECT_EQ(element_count({kHuge, kHuge, 0}), 0U);
  EXPECT_EQ(element_count({kHuge, 3}), std::nullopt);
  EXPECT_EQ(element_count({2, -1}), std::nullopt);
}

TEST(TensorTest, DeclaredBytesOfAnyShapeCanBeAddedUp) {
  EXPECT_EQ(declared_bytes(ElementType::float32, {2, 3}), 24U);
  EXPECT_EQ(declared_bytes(ElementType::int4, {3}), 2U);
  EXPECT_EQ(declared_bytes(ElementType::string, {2}), 128U);
  EXPECT_EQ(declared_bytes(ElementType::undefined, {2}), 16U);
  for (const Shape& shape : {Shape{kHuge}, Shape{kHuge, kHuge}, Shape{1 << 30, 1 << 20}, Shape{-1}}) {
    EXPECT_EQ(declared_bytes(ElementType::float64, shape), std::uint64_t{1} << 40);
    EXPECT_EQ(declared_bytes(ElementType::string, shape), std::uint64_t{1} << 40);
  }
}

TEST(TensorTest, FormatsShapesAsNumpyDoes) {
  EXPECT_EQ(format_shape({}), "()");
  EXPECT_EQ(format_shape({5}), "(5,)");
  EXPECT_EQ(format_shape({1, 3, 2}), "(1, 3, 2)");
}

TEST(TensorTest, MakeChecksTheNumberOfBytes) {
  const auto bytes = [](std::size_t n) { return Buffer::own(std::vector<std::byte>(n)); };
  EXPECT_TRUE(Tensor::make(ElementType::float32, {2}, bytes(8)));
  EXPECT_TRUE(Tensor::make(ElementType::int4, {3}, bytes(2)));
  EXPECT_TRUE(Tensor::make(ElementType::float6e2m3, {2, 2}, bytes(3)));
  EXPECT_TRUE(Tensor::make(ElementType::int64, {0, 7}, bytes(0)));
  const auto short_by_one = Tensor::make(ElementType::float32, {2}, bytes(7));
  ASSERT_FALSE(short_by_one);
  EXPECT_THAT(short_by_one.error().message(), testing::HasSubstr("needs 8 bytes, but has 7"));
  EXPECT_FALSE(Tensor::make(ElementType::float32, {-1}, bytes(0)));
  EXPECT_FALSE(Tensor::make(ElementType::string, {1}, bytes(0)));
  EXPECT_FALSE(Tensor::make(ElementType::undefined, {0}, bytes(0)));
  EXPECT_FALSE(Tensor::make(ElementType::float64, {kHuge, 4}, bytes(0)));
}

TEST(TensorTest, StringsNeedAsManyValuesAsTheShape) {
  const auto two = Tensor::make_strings({2}, {"a", "b"});
  ASSERT_TRUE(two);
  EXPECT_THAT(two->strings(), testing::ElementsAre("a", "b"));
  EXPECT_EQ(two->size(), 2U);
  EXPECT_FALSE(Tensor::make_strings({3}, {"a", "b"}));
}

TEST(TensorTest, LoadReadsElementsAtAnyAddress) {
  std::vector<std::byte> bytes(9);
  const float value = 1.25F;
  __builtin_memcpy(bytes.data() + 5, &value, 4);
  const Buffer whole = Buffer::own(std::move(bytes));
  const auto odd = std::make_shared<const Buffer>(whole);
  const auto tensor = Tensor::make(ElementType::float32, {2}, Buffer(odd->bytes().subspan(1), odd));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->load<float>(1), 1.25F);
}

TEST(TensorTest, CopiesShareTheirBytes) {
  const auto a = Tensor::of<std::int32_t>(ElementType::int32, {2}, {1, 2});
  const Tensor b = a;
  EXPECT_EQ(a.bytes().data(), b.bytes().data());
}

TEST(TensorTest, IdenticalComparesBytes) {
  const auto zero = Tensor::of<float>(ElementType::float32, {1}, {0.0F});
  const auto minus_zero = Tensor::of<float>(ElementType::float32, {1}, {-0.0F});
  const auto nan = Tensor::of<float>(ElementType::float32, {1}, {std::numeric_limits<float>::quiet_NaN()});
  EXPECT_TRUE(identical(zero, zero));
  EXPECT_TRUE(identical(nan, nan));
  EXPECT_FALSE(identical(zero, minus_zero));
  EXPECT_FALSE(identical(zero, Tensor::of<float>(ElementType::float32, {1, 1}, {0.0F})));
  EXPECT_FALSE(identical(zero, Tensor::of<std::int32_t>(ElementType::int32, {1}, {0})));
  EXPECT_FALSE(identical(*Tensor::make_strings({1}, {"a"}), *Tensor::make_strings({1}, {"b"})));
}

TEST(NamedTensorsTest, KeepsTheOrderOfAddingAndReplacesInPlace) {
  const auto number = [](float value) { return Tensor::of<float>(ElementType::float32, {}, {value}); };
  NamedTensors tensors;
  tensors.set("z", number(1));
  tensors.set("a", number(2));
  tensors.set("m", number(3));
  tensors.set("z", number(4));
  EXPECT_THAT(tensors.names(), testing::ElementsAre("z", "a", "m"));
  EXPECT_EQ(tensors.find("z")->load<float>(0), 4);
  EXPECT_EQ(tensors.find("m")->load<float>(0), 3);
  EXPECT_EQ(tensors.find("b"), nullptr);
  EXPECT_EQ(tensors.size(), 3U);
}

}  // namespace
}  // namespace assay::tensor
