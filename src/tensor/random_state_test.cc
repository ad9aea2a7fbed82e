#include "tensor/random_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tensor/testdata/fixture.h"

namespace assay::tensor {
namespace {

TEST(RandomStateTest, RandomSampleIsNumpys) {
  const Tensor expected = test::read_fixture("random_sample.npy");
  ASSERT_EQ(expected.shape(), (Shape{4, 700}));
  std::uint64_t at = 0;
  for (const std::uint32_t seed : {0U, 1U, 12345U, 0xFFFFFFFFU}) {
    RandomState random(seed);
    for (int i = 0; i < 700; ++i) EXPECT_EQ(random.random_sample(), expected.load<double>(at++)) << "seed " << seed;
  }
}

struct Range {
  __int128 low;
  __int128 high;
};

// As in make_fixtures.py.
constexpr __int128 kOne = 1;
constexpr Range kRanges[] = {{0, 1},
                             {-128, 127},
                             {3, 100},
                             {-1000, 1000},
                             {0, 65535},
                             {-(kOne << 31), (kOne << 31) - 1},
                             {0, 0},
                             {0, (kOne << 32) - 1},
                             {10, kOne << 31},
                             {0, 99},
                             {-(kOne << 63), (kOne << 63) - 1},
                             {-10'000'000'000, 99'999'999'999},
                             {0, (kOne << 64) - 1},
                             {5, kOne << 40}};

class RandintTest : public testing::TestWithParam<std::size_t> {};

TEST_P(RandintTest, IsNumpysAndTakesAsMuchOfTheStream) {
  const Tensor expected = test::read_fixture(fmt::format("randint_{}.npy", GetParam()));
  const Tensor next = test::read_fixture(fmt::format("randint_{}_next.npy", GetParam()));
  RandomState random(7);
  const auto got = random.randint(expected.type(), expected.shape(), kRanges[GetParam()].low, kRanges[GetParam()].high);
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_TRUE(identical(*got, expected));
  EXPECT_EQ(random.random_sample(), next.load<double>(0));
}

INSTANTIATE_TEST_SUITE_P(AllRanges, RandintTest, testing::Range(std::size_t{0}, std::size(kRanges)));

TEST(RandomStateTest, RandintRejectsBoundsOutsideOfTheType) {
  RandomState random(1);
  const auto above = random.randint(ElementType::int8, {2}, 0, 128);
  ASSERT_FALSE(above);
  EXPECT_THAT(above.error().message(), testing::HasSubstr("[-128, 127]"));
  EXPECT_FALSE(random.randint(ElementType::uint8, {2}, -1, 5));
  EXPECT_FALSE(random.randint(ElementType::int64, {2}, 5, 2));
  EXPECT_FALSE(random.randint(ElementType::uint64, {2}, 0, kOne << 64));
  EXPECT_FALSE(random.randint(ElementType::boolean, {2}, 0, 2));
  // Their limits as integers, such as 2^128 for complex128, wouldn't fit into 128 bits.
  for (const ElementType type : {ElementType::float32, ElementType::complex64, ElementType::complex128,
                                 ElementType::string, ElementType::undefined}) {
    const auto drawn = random.randint(type, {2}, 0, 1);
    ASSERT_FALSE(drawn) << info(type).name;
    EXPECT_EQ(drawn.error().kind, base::ErrorKind::unsupported) << drawn.error().message();
  }
}

TEST(RandomStateTest, PackedIntegersStayInTheirRange) {
  RandomState random(1);
  const auto got = random.randint(ElementType::int4, {101}, -8, 7);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->bytes().size(), 51U);
  EXPECT_FALSE(random.randint(ElementType::int4, {1}, -8, 8));
}

}  // namespace
}  // namespace assay::tensor
