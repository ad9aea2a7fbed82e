#include "tensor/number_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace assay::tensor {
namespace {

TEST(NumberText, WritesTheFewestDigits) {
  EXPECT_EQ(format_scalar(0.1F), "0.1");
  EXPECT_EQ(format_scalar(1.0F), "1.0");
  EXPECT_EQ(format_scalar(2.5e-8F), "2.5e-08");
  EXPECT_EQ(format_scalar(12345678.0), "12345678.0");
  EXPECT_EQ(format_scalar(std::numeric_limits<double>::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace assay::tensor
