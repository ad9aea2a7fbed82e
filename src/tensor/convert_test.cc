#include "tensor/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace assay::tensor {
namespace {

using testing::ElementsAre;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor packed(ElementType type, Shape shape, std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return Tensor::make(type, std::move(shape), Buffer::own(std::move(bytes))).value();
}

TEST(ConvertTest, ReadsSignedAndUnsignedPackedIntegers) {
  EXPECT_THAT(to_doubles(packed(ElementType::int4, {3}, {0x7F, 0x08})), ElementsAre(-1, 7, -8));
  EXPECT_THAT(to_doubles(packed(ElementType::uint4, {3}, {0x7F, 0x08})), ElementsAre(15, 7, 8));
  EXPECT_THAT(to_doubles(packed(ElementType::int2, {4}, {0b01101100})), ElementsAre(0, -1, -2, 1));
  EXPECT_THAT(to_doubles(packed(ElementType::uint2, {4}, {0b01101100})), ElementsAre(0, 3, 2, 1));
}

TEST(ConvertTest, ReadsPackedFloats) {
  EXPECT_THAT(to_doubles(packed(ElementType::float4e2m1, {2}, {0xB2})), ElementsAre(1, -1.5));
  EXPECT_THAT(to_doubles(packed(ElementType::float6e2m3, {2}, {0b11001000, 0b00001111})), ElementsAre(1, -7.5));
}

TEST(ConvertTest, AnyByteButZeroIsTrue) {
  EXPECT_THAT(to_doubles(packed(ElementType::boolean, {3}, {0, 1, 2})), ElementsAre(0, 1, 1));
}

TEST(ConvertTest, ReadsRangesOfATensor) {
  const auto tensor = Tensor::of<std::int16_t>(ElementType::int16, {5}, {1, 2, 3, 4, 5});
  std::vector<double> part(2);
  read_doubles(tensor, 3, part);
  EXPECT_THAT(part, ElementsAre(4, 5));
  std::vector<std::int64_t> whole(5);
  read_integers(tensor, 0, whole);
  EXPECT_THAT(whole, ElementsAre(1, 2, 3, 4, 5));
}

// Expected values: numpy.array(...).astype(...).
TEST(ConvertTest, CastsFloatsToIntegersByTruncation) {
  const auto floats = Tensor::of<double>(ElementType::float64, {5}, {300, -1, 1e20, kNan, -2.9});
  EXPECT_THAT(to_doubles(*cast(floats, ElementType::uint8)), ElementsAre(44, 255, 0, 0, 254));
  EXPECT_THAT(to_doubles(*cast(floats, ElementType::int32)), ElementsAre(300, -1, -2147483648.0, -2147483648.0, -2));
  EXPECT_THAT(to_doubles(*cast(floats, ElementType::boolean)), ElementsAre(1, 1, 1, 1, 1));
}

TEST(ConvertTest, CastsIntegersByTheirLowBits) {
  const auto integers = Tensor::of<std::int64_t>(ElementType::int64, {3}, {-1, 300, 9007199254740993});
  EXPECT_THAT(to_doubles(*cast(integers, ElementType::uint8)), ElementsAre(255, 44, 1));
  EXPECT_THAT(to_doubles(*cast(integers, ElementType::int4)), ElementsAre(-1, -4, 1));
  const auto wide = cast(integers, ElementType::uint64);
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->load<std::uint64_t>(0), ~std::uint64_t{0});
  EXPECT_EQ(wide->load<std::uint64_t>(2), 9007199254740993U);
}

TEST(ConvertTest, LargeUnsignedNumbersStayPositive) {
  const auto largest = Tensor::of<std::uint64_t>(ElementType::uint64, {}, {~std::uint64_t{0}});
  EXPECT_EQ(cast(largest, ElementType::float32)->load<float>(0), 18446744073709551616.0F);
  const auto back = cast(Tensor::of<double>(ElementType::float64, {}, {1e19}), ElementType::uint64);
  EXPECT_EQ(back->load<std::uint64_t>(0), 10'000'000'000'000'000'000U);
}

TEST(ConvertTest, CastsRoundToHalfOnce) {
  // Just above a tie of float16, and rounded onto it by float32.
  const auto value = Tensor::of<double>(ElementType::float64, {}, {1.0 + 0x1p-11 + 0x1p-40});
  EXPECT_EQ(to_doubles(*cast(value, ElementType::float16))[0], 1.0 + 0x1p-10);
}

TEST(ConvertTest, CastsLargeIntegersToFloatInOneStep) {
  const Tensor large = Tensor::of<std::int64_t>(ElementType::int64, {1}, {9007199791611905});
  EXPECT_EQ(cast(large, ElementType::float32)->load<float>(0), 9007200328482816.F);
}

TEST(ConvertTest, CastsToComplexWithoutImaginaryPart) {
  const auto got = cast(Tensor::of<float>(ElementType::float32, {1}, {2.5F}), ElementType::complex64);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->load<float>(0), 2.5F);
  EXPECT_EQ(got->load<float>(1), 0.0F);
}

TEST(ConvertTest, CastKeepsShapesAndLongTensors) {
  std::vector<float> values(10'001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const auto got = cast(Tensor::of<float>(ElementType::float32, {73, 137}, values), ElementType::int32);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->shape(), (Shape{73, 137}));
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(got->load<std::int32_t>(i), static_cast<std::int32_t>(i));
}

TEST(ConvertTest, CastOfTheSameTypeSharesTheBytes) {
  const auto tensor = Tensor::of<float>(ElementType::float32, {1}, {1});
  EXPECT_EQ(cast(tensor, ElementType::float32)->bytes().data(), tensor.bytes().data());
}

TEST(ConvertTest, StringsAndComplexNumbersAreNotCast) {
  EXPECT_FALSE(cast(*Tensor::make_strings({1}, {"1"}), ElementType::float32));
  EXPECT_FALSE(cast(Tensor::of<float>(ElementType::float32, {1}, {1}), ElementType::string));
  EXPECT_FALSE(cast(Tensor::of<float>(ElementType::complex64, {1}, {1, 2}), ElementType::float32));
}

TEST(ConvertTest, InfinityIsKeptIfTheTypeHasIt) {
  const double values[] = {kInfinity, -kInfinity};
  EXPECT_THAT(to_doubles(from_doubles(ElementType::bfloat16, {2}, values)), ElementsAre(kInfinity, -kInfinity));
  EXPECT_THAT(to_doubles(from_doubles(ElementType::float4e2m1, {2}, values)), ElementsAre(6, -6));
}

}  // namespace
}  // namespace assay::tensor
