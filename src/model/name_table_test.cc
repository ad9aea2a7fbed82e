#include "model/name_table.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::model {
namespace {

TEST(NameTable, GivesIdsInOrderOfFirstAppearance) {
  NameTable table;
  EXPECT_EQ(table.find("a"), -1);
  EXPECT_EQ(table.add("a"), std::pair(0, true));
  EXPECT_EQ(table.add(""), std::pair(1, true));
  EXPECT_EQ(table.add("a"), std::pair(0, false));
  EXPECT_EQ(table.find(""), 1);
  EXPECT_EQ(table.find("b"), -1);
  EXPECT_EQ(table.name(0), "a");
}

TEST(NameTable, KeepsItsNamesWhileItGrows) {
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) names.push_back("layer/" + std::to_string(i));
  NameTable table;
  for (int i = 0; i < 5000; ++i) {
    if (i == 1000) table.reserve(3000);
    EXPECT_TRUE(table.add(names[static_cast<std::size_t>(i)]).second);
  }
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(table.find(names[static_cast<std::size_t>(i)]), i);
  EXPECT_EQ(table.size(), 5000u);
}

}  // namespace
}  // namespace assay::model
