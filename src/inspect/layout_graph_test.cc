#include "inspect/layout_graph.h"

#include <gtest/gtest.h>

namespace assay::inspect {
namespace {

TEST(LayoutGraph, AChainIsAColumn) {
  const auto spots = layout_graph({{}, {0}, {1}});
  for (std::size_t i = 0; i < spots.size(); ++i) {
    EXPECT_EQ(spots[i].row, i);
    EXPECT_EQ(spots[i].column, 0);
  }
}

TEST(LayoutGraph, BranchesAreSideBySideAndMeetBetween) {
  const auto spots = layout_graph({{}, {0}, {0}, {1, 2}});
  EXPECT_EQ(spots[1].row, spots[2].row);
  EXPECT_GE(spots[2].column - spots[1].column, 1);
  EXPECT_EQ(spots[3].column, (spots[1].column + spots[2].column) / 2);
}

TEST(LayoutGraph, ANodeIsBehindItsLastSource) {
  EXPECT_EQ(layout_graph({{}, {0}, {1}, {0, 2}})[3].row, 3U);
  EXPECT_EQ(layout_graph({{1}, {}})[0].row, 1U);
}

TEST(LayoutGraph, ACycleEnds) {
  EXPECT_EQ(layout_graph({{1}, {0}, {}}).size(), 3U);
  EXPECT_EQ(layout_graph({{0}}).size(), 1U);
  EXPECT_TRUE(layout_graph({}).empty());
}

}  // namespace
}  // namespace assay::inspect
