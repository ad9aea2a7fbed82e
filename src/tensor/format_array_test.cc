// Expected texts are those of numpy 2.4 (str(array)).
#include "tensor/format_array.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <complex>
#include <limits>
#include <numeric>
#include "tensor/json.h"
#include "tensor/testdata/fixture.h"

namespace assay::tensor {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

std::string floats(const std::vector<float>& values) {
  return format_array(Tensor::of(ElementType::float32, {static_cast<std::int64_t>(values.size())}, values));
}
std::string doubles(const std::vector<double>& values) {
  return format_array(Tensor::of(ElementType::float64, {static_cast<std::int64_t>(values.size())}, values));
}
template <class T>
Tensor range(ElementType type, Shape shape) {
  std::vector<T> values(*element_count(shape));
  std::iota(values.begin(), values.end(), T{});
  return Tensor::of(type, std::move(shape), values);
}

TEST(FormatArray, LinesNumbersUpAtThePoint) {
  EXPECT_EQ(floats({1, 1, 1}), "[1. 1. 1.]");
  EXPECT_EQ(floats({0.1F, 0.25F, -12}), "[  0.1    0.25 -12.  ]");
  EXPECT_EQ(doubles({0.1, 0.12345678901}), "[0.1        0.12345679]");
  EXPECT_EQ(doubles({0.0, -0.0}), "[ 0. -0.]");
}

TEST(FormatArray, UsesExponentsIfMagnitudesDifferWidely) {
  EXPECT_EQ(floats({1e10F, 1e-10F, 0}), "[1.e+10 1.e-10 0.e+00]");
  EXPECT_EQ(floats({1e7F}), "[1.e+07]");
  EXPECT_EQ(floats({33554436, 1}), "[3.3554436e+07 1.0000000e+00]");
  EXPECT_EQ(doubles({1e200, 1}), "[1.e+200 1.e+000]");
  EXPECT_EQ(floats({0.0F, 1.5059065e-04F, 0.6F}), "[0.0000000e+00 1.5059065e-04 6.0000002e-01]");
}

TEST(FormatArray, KeepsRoomForNanAndInfinity) {
  EXPECT_EQ(floats({kNan, 1, kInf}), "[nan  1. inf]");
  EXPECT_EQ(floats({kNan}), "[nan]");
  EXPECT_EQ(floats({-kInf, 1.5F, -2}), "[-inf  1.5 -2. ]");
}

TEST(FormatArray, WritesOtherTypes) {
  EXPECT_EQ(format_array(Tensor::of<std::int64_t>(ElementType::int64, {3}, {1, -20, 3})), "[  1 -20   3]");
  EXPECT_EQ(format_array(Tensor::of<std::uint8_t>(ElementType::boolean, {2}, {1, 0})), "[ True False]");
  EXPECT_EQ(format_array(Tensor::make_strings({2}, {"a\nb", "it's"}).value()), "['a\\nb' \"it's\"]");
  EXPECT_EQ(format_array(Tensor::of<std::uint16_t>(ElementType::float16, {2}, {0x2e66, 0x1419})), "[0.1   0.001]");
  EXPECT_EQ(format_array(Tensor::of<std::uint16_t>(ElementType::float16, {2}, {0xa000, 0x2000})),
            "[-0.007812  0.007812]");
  EXPECT_EQ(format_array(Tensor::of<std::uint16_t>(ElementType::bfloat16, {2}, {0x3fc0, 0x4010})), "[1.5  2.25]");
  EXPECT_EQ(format_array(Tensor::of<std::complex<double>>(ElementType::complex128, {2}, {{1, 2}, {0.5, -1e-3}})),
            "[1. +2.e+00j 0.5-1.e-03j]");
}

TEST(FormatArray, WritesPackedAndSmallFloats) {
  const auto make = [](ElementType type, Shape shape, std::vector<std::uint8_t> bytes) {
    return format_array(Tensor::of(type, std::move(shape), bytes));
  };
  EXPECT_EQ(make(ElementType::int4, {3}, {0xe1, 0x03}), "[ 1 -2  3]");
  EXPECT_EQ(make(ElementType::uint4, {3}, {0xe1, 0x03}), "[ 1 14  3]");
  EXPECT_EQ(make(ElementType::int2, {4}, {0b11100100}), "[ 0  1 -2 -1]");
  EXPECT_EQ(make(ElementType::float8e4m3fn, {4}, {0x3c, 0x40, 0x7f, 0x7e}), "[  1.5   2.    nan 448. ]");
  EXPECT_EQ(make(ElementType::float8e5m2, {3}, {0x3e, 0xfc, 0x01}), "[1.5000000e+00          -inf 1.5258789e-05]");
  EXPECT_EQ(make(ElementType::float8e4m3fnuz, {2}, {0x80, 0x40}), "[nan  1.]");
  EXPECT_EQ(make(ElementType::float8e8m0, {2}, {127, 128}), "[1. 2.]");
  EXPECT_EQ(make(ElementType::float4e2m1, {2}, {0xf1}), "[ 0.5 -6. ]");
}

TEST(FormatArray, SingleValuesStandAlone) {
  EXPECT_EQ(format_array(Tensor::of<float>(ElementType::float32, {}, {6})), "6.0");
  EXPECT_EQ(format_array(Tensor::of<float>(ElementType::float32, {}, {1e-5F})), "1e-05");
  EXPECT_EQ(format_array(Tensor::of<double>(ElementType::float64, {}, {1e16})), "1e+16");
  EXPECT_EQ(format_array(Tensor::of<std::uint8_t>(ElementType::boolean, {}, {1})), "True");
  EXPECT_EQ(format_array(Tensor::of<float>(ElementType::float32, {2, 0}, {})), "[]");
}

TEST(FormatArray, BreaksLongRows) {
  EXPECT_EQ(format_array(range<std::int64_t>(ElementType::int64, {30})),
            "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
            " 24 25 26 27 28 29]");
}

TEST(FormatArray, ShowsTheEndsOfLargeArrays) {
  EXPECT_EQ(format_array(range<std::int64_t>(ElementType::int64, {2000})), "[   0    1    2 ... 1997 1998 1999]");
  EXPECT_EQ(format_array(range<std::int32_t>(ElementType::int32, {2, 7, 100})),
            "[[[   0    1    2 ...   97   98   99]\n"
            "  [ 100  101  102 ...  197  198  199]\n"
            "  [ 200  201  202 ...  297  298  299]\n"
            "  ...\n"
            "  [ 400  401  402 ...  497  498  499]\n"
            "  [ 500  501  502 ...  597  598  599]\n"
            "  [ 600  601  602 ...  697  698  699]]\n"
            "\n"
            " [[ 700  701  702 ...  797  798  799]\n"
            "  [ 800  801  802 ...  897  898  899]\n"
            "  [ 900  901  902 ...  997  998  999]\n"
            "  ...\n"
            "  [1100 1101 1102 ... 1197 1198 1199]\n"
            "  [1200 1201 1202 ... 1297 1298 1299]\n"
            "  [1300 1301 1302 ... 1397 1398 1399]]]");
}

TEST(FormatArray, AShapeOfAnyRankIsSafe) {
  EXPECT_EQ(format_array(Tensor::of<float>(ElementType::float32, Shape(100000, 1), {1})), "<100000 dimensions>");
}

// Random arrays of all types, with random options: see make_format_cases.py.
TEST(FormatArray, AgreesWithNumpyOnRandomArrays) {
  const auto cases = JsonDocument::open(test::tensor_fixture("format_cases.json"));
  ASSERT_TRUE(cases) << cases.error().message();
  ASSERT_EQ(cases->root().size(), 120U);
  for (const auto& one : cases->root()) {
    const auto array = cases->array(one["array"]);
    ASSERT_TRUE(array) << array.error().message();
    ArrayLayout layout;
    layout.threshold = one["threshold"];
    layout.edge_items = one["edge_items"];
    layout.line_width = one["line_width"];
    EXPECT_EQ(format_array(*array, layout), one["text"].get<std::string>()) << array->describe();
  }
}

}  // namespace
}  // namespace assay::tensor
