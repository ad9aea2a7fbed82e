#include "diff/compare_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::diff {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FindMoved, AsFewAsPossibleMove) {
  EXPECT_THAT(find_moved({}), IsEmpty());
  EXPECT_THAT(find_moved({2, 5, 9}), IsEmpty());
  EXPECT_THAT(find_moved({4, 0, 1, 2, 3}), ElementsAre(0));
  EXPECT_THAT(find_moved({0, 1, 4, 2, 3}), ElementsAre(2));
  EXPECT_EQ(find_moved({3, 2, 1, 0}).size(), 3U);
}

}  // namespace
}  // namespace assay::diff
