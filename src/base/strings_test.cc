#include "base/strings.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

TEST(Strings, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a::b", ':'), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

TEST(Strings, ReplaceAllTakesEachOccurrenceOnce) {
  EXPECT_EQ(replace_all("aXbXX", "X", "XY"), "aXYbXYXY");
  EXPECT_EQ(replace_all("aaa", "aa", ""), "a");
  EXPECT_EQ(replace_all("text", "", "x"), "text");
  EXPECT_EQ(replace_all("", "x", "y"), "");
}

TEST(Strings, SizesUsePowersOf1024) {
  EXPECT_EQ(*parse_size("1024"), 1024u);
  EXPECT_EQ(*parse_size("16M"), 16u << 20);
  EXPECT_EQ(*parse_size("1.5k"), 1536u);
  EXPECT_FALSE(parse_size("ten"));
  EXPECT_FALSE(parse_size(""));
  EXPECT_FALSE(parse_size("-1"));
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
}

}  // namespace
}  // namespace assay::base
