#include "base/without_escapes.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

TEST(WithoutEscapes, KeepsText) {
  EXPECT_EQ(without_escapes("one\ttwo\nthree \xc3\xa9 \xe2\x82\xac"), "one\ttwo\nthree \xc3\xa9 \xe2\x82\xac");
  EXPECT_EQ(without_escapes(""), "");
}

TEST(WithoutEscapes, RemovesSequences) {
  EXPECT_EQ(without_escapes("\x1b[31mred\x1b[0m and \x1b[1;38;5;208morange\x1b[m"), "red and orange");
  EXPECT_EQ(without_escapes("a\x1b[2J\x1b[?25lb\x1b[10;20Hc"), "abc");
  EXPECT_EQ(without_escapes("\x1b]0;a title\atext"), "text");
  EXPECT_EQ(without_escapes("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(without_escapes("\x1b(Bplain\x1b"
                            "7saved\x1b"
                            "c"),
            "plainsaved");
  EXPECT_EQ(without_escapes("\xc2\x9b"
                            "31mred\xc2\x85"),
            "red");
}

TEST(WithoutEscapes, RemovesControlCharacters) {
  EXPECT_EQ(without_escapes("bell\a back\b\b null" + std::string(1, '\0') + " delete\x7f"), "bell back null delete");
  EXPECT_EQ(without_escapes("10 %\r100 %\r\nend\r"), "10 %\n100 %\nend\n");
}

// A sequence that doesn't end takes no further line with it.
TEST(WithoutEscapes, SequencesThatDoNotEnd) {
  EXPECT_EQ(without_escapes("a\x1b"), "a");
  EXPECT_EQ(without_escapes("a\x1b["), "a");
  EXPECT_EQ(without_escapes("a\x1b[3\nb"), "a\nb");
  EXPECT_EQ(without_escapes("a\x1b]0;title\nb"), "a\nb");
  EXPECT_EQ(without_escapes("a\x1b\nb"), "a\nb");
  EXPECT_EQ(without_escapes("a\x1b\x1b[31mb"), "ab");
}

}  // namespace
}  // namespace assay::base
