#include "tensor/element_type.h"

#include <gtest/gtest.h>

namespace assay::tensor {
namespace {

TEST(ElementTypeTest, RowsAreInTheOrderOfOnnxNumbers) {
  const auto rows = element_types();
  ASSERT_EQ(rows.size(), 29U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(rows[i].type), i);
    EXPECT_EQ(&info(rows[i].type), &rows[i]);
  }
}

TEST(ElementTypeTest, NumbersFromOutsideGiveUndefined) {
  EXPECT_EQ(info(static_cast<ElementType>(29)).type, ElementType::undefined);
  EXPECT_EQ(info(static_cast<ElementType>(-1)).type, ElementType::undefined);
  EXPECT_EQ(info(static_cast<ElementType>(INT32_MIN)).type, ElementType::undefined);
}

TEST(ElementTypeTest, NamesAreReadInBothSpellingsAndAnyCase) {
  for (const ElementTypeInfo& row : element_types().subspan(1)) {
    EXPECT_EQ(parse_element_type(row.name), row.type) << row.name;
    EXPECT_EQ(parse_element_type(row.onnx_name), row.type) << row.onnx_name;
  }
  EXPECT_EQ(parse_element_type("Float"), ElementType::float32);
  EXPECT_EQ(parse_element_type("DOUBLE"), ElementType::float64);
  EXPECT_EQ(parse_element_type("undefined"), std::nullopt);
  EXPECT_EQ(parse_element_type("float128"), std::nullopt);
}

TEST(ElementTypeTest, PackedTypesTakeWholeBytes) {
  EXPECT_EQ(byte_size(ElementType::int4, 3), 2U);
  EXPECT_EQ(byte_size(ElementType::uint2, 5), 2U);
  EXPECT_EQ(byte_size(ElementType::float6e2m3, 4), 3U);
  EXPECT_EQ(byte_size(ElementType::float6e3m2, 5), 4U);
  EXPECT_EQ(byte_size(ElementType::float32, 5), 20U);
  EXPECT_EQ(byte_size(ElementType::complex128, 0), 0U);
}

TEST(ElementTypeTest, ByteSizeRejectsStringsAndOverflow) {
  EXPECT_EQ(byte_size(ElementType::string, 1), std::nullopt);
  EXPECT_EQ(byte_size(ElementType::undefined, 1), std::nullopt);
  EXPECT_EQ(byte_size(ElementType::float64, UINT64_MAX / 2), std::nullopt);
}

}  // namespace
}  // namespace assay::tensor
