#include "base/list_first.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

TEST(ListFirst, JoinsWhatFits) {
  EXPECT_EQ(list_first({}, 2, ", "), "");
  EXPECT_EQ(list_first({"a", "b"}, 2, ", "), "a, b");
}

TEST(ListFirst, CountsTheOthers) {
  EXPECT_EQ(list_first({"a", "b", "c"}, 2, ", "), "a, b, and 1 more");
  EXPECT_EQ(list_first({"a", "b", "c"}, 1, "; "), "a; and 2 more");
}

}  // namespace
}  // namespace assay::base
