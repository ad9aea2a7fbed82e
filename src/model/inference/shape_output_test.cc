#include "model/inference/shape_output.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace assay::model {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes shape_of_2_3_4(std::optional<std::int64_t> start, std::optional<std::int64_t> end) {
  onnx::NodeProto node;
  const auto add = [&](const char* name, std::int64_t value) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
  };
  if (start) add("start", *start);
  if (end) add("end", *end);
  return shape_output(node, Sizes{2, 3, 4});
}

// The results follow from ONNX's specification of Shape, version 15.
TEST(ShapeOutput, IsTheWholeShapeByDefault) {
  EXPECT_EQ(shape_of_2_3_4({}, {}), (Sizes{2, 3, 4}));
}

TEST(ShapeOutput, NegativePositionsCountFromTheEnd) {
  EXPECT_EQ(shape_of_2_3_4(-1, {}), Sizes{4});
  EXPECT_EQ(shape_of_2_3_4({}, -1), (Sizes{2, 3}));
  EXPECT_EQ(shape_of_2_3_4(1, 2), Sizes{3});
}

TEST(ShapeOutput, PositionsAreClamped) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(shape_of_2_3_4(kLeast, kMost), (Sizes{2, 3, 4}));
  EXPECT_EQ(shape_of_2_3_4(kMost, {}), Sizes{});
  EXPECT_EQ(shape_of_2_3_4({}, kLeast), Sizes{});
  EXPECT_EQ(shape_of_2_3_4(2, 1), Sizes{});
}

TEST(ShapeOutput, OfAScalarIsEmpty) {
  EXPECT_EQ(shape_output(onnx::NodeProto(), {}), Sizes{});
}

}  // namespace
}  // namespace assay::model
