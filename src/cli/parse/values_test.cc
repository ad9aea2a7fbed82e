#include "cli/parse/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace assay::cli {
namespace {

using testing::HasSubstr;

TEST(Values, ShapesMayHaveUnknownDimensionsAndNamesWithColons) {
  const auto shapes = parse_shapes({"x:[1,-1,'batch']", "in:0:(2,)", "s:[]"}, "--inputs").value();
  ASSERT_EQ(shapes.at("x").size(), 3u);
  EXPECT_EQ(shapes.at("x")[0].value, 1);
  EXPECT_EQ(shapes.at("x")[1].value, -1);
  EXPECT_EQ(shapes.at("x")[2].symbol, "batch");
  EXPECT_EQ(shapes.at("in:0").size(), 1u);
  EXPECT_TRUE(shapes.at("s").empty());
}

TEST(Values, AShapeThatIsNoneNamesTheOption) {
  for (const char* value : {"x", "x:1,2", ":[1]", "x:[1,,2]", "x:[1.5]", "x:[99999999999999999999]"}) {
    const auto shapes = parse_shapes({value}, "--inputs");
    ASSERT_FALSE(shapes) << value;
    EXPECT_THAT(shapes.error().message(), HasSubstr("--inputs"));
  }
}

TEST(Values, RangesForAllAndForOne) {
  const auto ranges = parse_ranges({"[0,1]", "x:[-2.5,inf]"}, "--val-range").value();
  EXPECT_EQ(ranges.at("").high, 1);
  EXPECT_EQ(ranges.at("x").low, -2.5);
  EXPECT_FALSE(parse_ranges({"[1,0]"}, "--val-range"));
  EXPECT_FALSE(parse_ranges({"[1]"}, "--val-range"));
  for (const char* limits : {"[nan,1]", "[0,nan]", "x:[NaN,NaN]"}) EXPECT_FALSE(parse_ranges({limits}, "--val-range"));
}

TEST(Values, RangesKeepAllDigitsOfIntegers) {
  const auto ranges =
      parse_ranges({"[-9223372036854775808,9223372036854775807]", "x:[0.1,+18446744073709551615]"}, "--val-range")
          .value();
  EXPECT_EQ(static_cast<std::int64_t>(ranges.at("").low), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(static_cast<std::int64_t>(ranges.at("").high), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(ranges.at("x").low, 0.1);
  EXPECT_EQ(static_cast<std::uint64_t>(ranges.at("x").high), std::numeric_limits<std::uint64_t>::max());
}

TEST(Values, NumbersForAllAndForOne) {
  const auto numbers = parse_numbers({"1e-3", "out:0:5"}, "--atol").value();
  EXPECT_EQ(numbers.at(""), 1e-3);
  EXPECT_EQ(numbers.at("out:0"), 5);
  EXPECT_FALSE(parse_numbers({"out:x"}, "--atol"));
}

TEST(Values, MetaMayLeaveThingsToBeFoundOut) {
  const auto metas = parse_meta({"a:[1,2]:float32", "b:auto:auto"}, MetaForm::name_shape_type, "--inputs").value();
  EXPECT_EQ(metas[0].type, tensor::ElementType::float32);
  EXPECT_EQ(metas[0].shape->size(), 2u);
  EXPECT_FALSE(metas[1].type || metas[1].shape);
  EXPECT_EQ(parse_meta({"y:int64"}, MetaForm::name_type, "--outputs").value()[0].name, "y");
  EXPECT_FALSE(parse_meta({"y:int65"}, MetaForm::name_type, "--outputs"));
}

TEST(ParseMeta, SaysWhichPartIsWrong) {
  const auto error_of = [](const std::string& value) {
    const auto metas = parse_meta({value}, MetaForm::name_shape_type, "--inputs");
    return metas ? std::string("none") : metas.error().message();
  };
  EXPECT_EQ(
      error_of("x:[n,-4]:float32"),
      "'-4' in 'x:[n,-4]:float32' is not a dimension (in --inputs). Use a size, or -1 or a name if it is unknown");
  EXPECT_EQ(error_of("x:[n,-1]:float32"), "none");
  EXPECT_EQ(error_of("x:[1]:float99"),
            "'float99' in 'x:[1]:float99' is not an element type (in --inputs). Use a type such as float32, float16, "
            "int64 or bool, or auto");
  for (const char* value : {"x:[a:b]:float32", "x:1,2:float32", "x"}) {
    EXPECT_EQ(error_of(value),
              "'" + std::string(value) +
                  "' is not a valid value (in --inputs). Give it as name:shape:dtype, with 'auto' for a "
                  "shape or type to infer");
  }
}

}  // namespace
}  // namespace assay::cli
