#include "base/counted.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace assay::base {
namespace {

TEST(Counted, UsesTheSingularForOne) {
  EXPECT_EQ(counted(0, "node"), "0 nodes");
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(1991, "node"), "1991 nodes");
  EXPECT_EQ(counted(std::size_t{2}, "weight"), "2 weights");
}

}  // namespace
}  // namespace assay::base
