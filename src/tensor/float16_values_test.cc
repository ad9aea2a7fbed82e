#include "tensor/float16_values.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tensor/minifloat.h"

namespace assay::tensor {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

double round_trip(float value, Float16Changes* changes = nullptr) {
  Float16Changes own;
  return tensor::decode_minifloat(tensor::ElementType::float16, to_float16(value, changes == nullptr ? own : *changes));
}

TEST(Float16ValuesTest, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(round_trip(1), 1);
  EXPECT_EQ(round_trip(-0.1F), -0.0999755859375);
  EXPECT_EQ(round_trip(2049), 2048);  // half way between 2048 and 2050
  EXPECT_EQ(round_trip(2051), 2052);
  EXPECT_EQ(round_trip(2049.001F), 2050);
  EXPECT_EQ(round_trip(4095.9F), 4096);  // carries into the exponent
}

TEST(Float16ValuesTest, FiniteStaysFinite) {
  Float16Changes changes;
  EXPECT_EQ(round_trip(65504, &changes), 65504);
  EXPECT_EQ(round_trip(65519.99F, &changes), 65504);
  EXPECT_EQ(changes.too_large, 0);
  EXPECT_EQ(round_trip(65520, &changes), 65504);
  EXPECT_EQ(round_trip(-3.4e38F, &changes), -65504);
  EXPECT_EQ(changes.too_large, 2);
}

TEST(Float16ValuesTest, NonzeroValuesDoNotBecomeZero) {
  Float16Changes changes;
  EXPECT_EQ(round_trip(std::ldexp(1.0F, -14), &changes), std::ldexp(1.0, -14));
  EXPECT_EQ(round_trip(std::ldexp(1.5F, -24), &changes), std::ldexp(1.0, -23));  // a tie of subnormals, to even
  EXPECT_EQ(round_trip(std::ldexp(1023.5F, -24), &changes), std::ldexp(1.0, -14));
  EXPECT_EQ(round_trip(6e-8F, &changes), std::ldexp(1.0, -24));
  EXPECT_EQ(changes.too_small, 0);
  EXPECT_EQ(round_trip(-std::ldexp(1.0F, -25), &changes), -std::ldexp(1.0, -24));  // a tie that would go to zero
  EXPECT_EQ(round_trip(std::numeric_limits<float>::denorm_min(), &changes), std::ldexp(1.0, -24));
  EXPECT_EQ(changes.too_small, 2);
}

TEST(Float16ValuesTest, SpecialValuesStay) {
  Float16Changes changes;
  EXPECT_EQ(round_trip(kInf, &changes), kInf);
  EXPECT_EQ(round_trip(-kInf, &changes), -kInf);
  EXPECT_TRUE(std::isnan(round_trip(std::nanf(""), &changes)));
  EXPECT_TRUE(std::isnan(round_trip(std::bit_cast<float>(0xFF800001U), &changes)));
  EXPECT_EQ(to_float16(0.0F, changes), 0);
  EXPECT_EQ(to_float16(-0.0F, changes), 0x8000);
  EXPECT_EQ(changes.too_large + changes.too_small, 0);
}

TEST(Float16ValuesTest, TensorsKeepTheirShape) {
  const Tensor half = to_float16(Tensor::of<float>(ElementType::float32, {1, 2}, {1, 1e9F}));
  EXPECT_EQ(half.type(), ElementType::float16);
  EXPECT_EQ(half.shape(), (Shape{1, 2}));
  EXPECT_EQ(half.load<std::uint16_t>(0), 0x3C00);
  EXPECT_EQ(half.load<std::uint16_t>(1), 0x7BFF);
}

TEST(Float16ValuesTest, FiniteValuesAreLimited) {
  const Tensor values = Tensor::of<float>(ElementType::float32, {5}, {1, -3.4e38F, 65504, 65519, -kInf});
  const Tensor limited = limit_to_float16(values);
  EXPECT_TRUE(identical(limited, Tensor::of<float>(ElementType::float32, {5}, {1, -65504, 65504, 65504, -kInf})));
  EXPECT_EQ(limit_to_float16(limited).bytes().data(), limited.bytes().data());
  const Tensor doubles = Tensor::of<double>(ElementType::float64, {1}, {1e9});
  EXPECT_TRUE(identical(limit_to_float16(doubles), doubles));
}

// Another implementation, in doubles, checked against NumPy in its own tests.
TEST(Float16ValuesTest, AgreesWithTheGeneralEncoder) {
  for (std::uint64_t bits = 0; bits < (1ULL << 32); bits += 9973) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    Float16Changes changes;
    const std::uint16_t code = to_float16(value, changes);
    if (std::isnan(value) || changes.too_large + changes.too_small > 0) continue;
    ASSERT_EQ(code, tensor::encode_minifloat(tensor::ElementType::float16, value)) << value;
  }
}

}  // namespace
}  // namespace assay::tensor
