#include "tensor/minifloat.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tensor/testdata/fixture.h"

namespace assay::tensor {
namespace {

class MinifloatTest : public testing::TestWithParam<ElementType> {};

TEST_P(MinifloatTest, DecodesEveryCodeAsMlDtypesDoes) {
  const Tensor values = test::read_fixture(std::string(name(GetParam())) + "_values.npy");
  const std::uint32_t step = info(GetParam()).bits == 16 ? 97 : 1;  // see make_fixtures.py
  ASSERT_GT(values.size(), 0U);
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    const auto code = static_cast<std::uint16_t>(i * step);
    const double got = decode_minifloat(GetParam(), code);
    const double expected = values.load<float>(i);
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(got) : got == expected && std::signbit(got) == std::signbit(expected))
        << "code " << code << ": " << got << " instead of " << expected;
  }
}

TEST_P(MinifloatTest, EncodesAsMlDtypesDoes) {
  const Tensor inputs = test::read_fixture("minifloat_inputs.npy");
  const Tensor codes = test::read_fixture(std::string(name(GetParam())) + "_codes.npy");
  ASSERT_EQ(inputs.size(), codes.size());
  ASSERT_GT(inputs.size(), 0U);
  for (std::uint64_t i = 0; i < inputs.size(); ++i) {
    const double value = inputs.load<double>(i);
    const std::uint16_t expected =
        info(GetParam()).bits == 16 ? codes.load<std::uint16_t>(i) : codes.load<std::uint8_t>(i);
    EXPECT_EQ(encode_minifloat(GetParam(), value), expected) << "value " << value << ", number " << i;
  }
}

std::vector<ElementType> minifloats() {
  std::vector<ElementType> types;
  for (const ElementTypeInfo& row : element_types()) {
    if (is_minifloat(row.type)) types.push_back(row.type);
  }
  return types;
}

INSTANTIATE_TEST_SUITE_P(AllTypes, MinifloatTest, testing::ValuesIn(minifloats()),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST(MinifloatTest, CoversAllFloatsBelow32Bits) {
  EXPECT_EQ(minifloats().size(), 10U);
}

}  // namespace
}  // namespace assay::tensor
