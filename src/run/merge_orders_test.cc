#include "run/merge_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MergeOrders, PutsNamesAfterTheirPredecessors) {
  EXPECT_THAT(merge_orders({{"a", "c", "y"}, {"a", "b", "c", "d", "y", "z"}}),
              ElementsAre("a", "b", "c", "d", "y", "z"));
  EXPECT_THAT(merge_orders({{"y"}, {"a", "b", "y"}}), ElementsAre("a", "b", "y"));
  EXPECT_THAT(merge_orders({{"b", "a"}, {"a", "b"}}), ElementsAre("b", "a")) << "the first one's";
  EXPECT_THAT(merge_orders({{}, {"a"}, {}, {"b", "a", "a"}}), ElementsAre("b", "a"));
  EXPECT_THAT(merge_orders({}), IsEmpty());
}

}  // namespace
}  // namespace assay::run
