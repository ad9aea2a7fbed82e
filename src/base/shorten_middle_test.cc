#include "base/shorten_middle.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

TEST(ShortenMiddle, KeepsTextThatFits) {
  EXPECT_EQ(shorten_middle("conv_1", 6), "conv_1");
  EXPECT_EQ(shorten_middle("", 6), "");
}

TEST(ShortenMiddle, KeepsBothEndsOfTextThatDoesNot) {
  EXPECT_EQ(shorten_middle("abcdefghij", 9), "abc...hij");
  EXPECT_EQ(shorten_middle("abcdefghij", 8), "ab...hij");
}

TEST(ShortenMiddle, NeverCutsACharacter) {
  EXPECT_EQ(shorten_middle("äöüäöüäöü", 9), "äöüäöüäöü");
  EXPECT_EQ(shorten_middle("äöüäöüäöüäöü", 9), "äöü...äöü");
}

TEST(ShortenMiddle, ShortensBytesThatAreNotUtf8) {
  EXPECT_EQ(shorten_middle(std::string(1000, '\xA3'), 10).size(), 31U);  // seven characters of four bytes
}

TEST(ShortenMiddle, CountsCharactersInsteadOfBytes) {
  EXPECT_EQ(count_characters("äöü"), 3U);
  EXPECT_EQ(count_characters(""), 0U);
}

}  // namespace
}  // namespace assay::base
