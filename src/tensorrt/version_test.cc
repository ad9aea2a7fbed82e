#include "tensorrt/version.h"

#include <gtest/gtest.h>

namespace assay::tensorrt {
namespace {

TEST(Version, NumbersAreThoseOfTensorRt) {
  EXPECT_EQ(Version::from_number(8601), (Version{8, 6, 1}));
  EXPECT_EQ(Version::from_number(100000), (Version{10, 0, 0}));
  EXPECT_EQ(Version::from_number(101501), (Version{10, 15, 1}));
  EXPECT_EQ(Version::from_number(110100), (Version{11, 1, 0}));
}

TEST(Version, LaterOnesAreGreater) {
  EXPECT_LT((Version{8, 6, 1}), (Version{10, 0}));
  EXPECT_LT((Version{10, 9, 3}), (Version{10, 10}));
  EXPECT_LT((Version{10, 16, 1}), (Version{11, 0}));
  EXPECT_GE((Version{10, 15, 1}), (Version{10, 15}));
}

TEST(Version, HasTexts) {
  EXPECT_EQ((Version{10, 0, 0}).text(), "10.0.0");
  EXPECT_EQ((Version{10, 15, 1}).text(), "10.15.1");
  EXPECT_EQ((Version{10, 15, 1}).release(), "10.15");
}

}  // namespace
}  // namespace assay::tensorrt
