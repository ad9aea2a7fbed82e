#include "cli/terminal/wrap_text.h"

#include <gtest/gtest.h>

namespace assay::cli {
namespace {

TEST(WrapText, BreaksAtSpacesAndIndents) {
  EXPECT_EQ(wrap_text("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrap_text("  one two", 6, 4), "  one\n    two");
  EXPECT_EQ(wrap_text("one", 7, 2), "one");
  EXPECT_EQ(wrap_text("", 7, 2), "");
}

TEST(WrapText, LeavesLongWordsWholeAndKeepsLineBreaks) {
  EXPECT_EQ(wrap_text("a incomprehensible b", 5, 0), "a\nincomprehensible\nb");
  EXPECT_EQ(wrap_text("a b\nc", 9, 1), "a b\n c");
}

TEST(WrapText, CountsLettersNotBytes) {
  EXPECT_EQ(wrap_text("\u00e4\u00e4\u00e4 \u00e4\u00e4\u00e4", 7, 0), "\u00e4\u00e4\u00e4 \u00e4\u00e4\u00e4");
}

TEST(OneLine, CutsBetweenLettersAndHasNoControlCharacters) {
  EXPECT_EQ(one_line("\u00e4\u00e4\u00e4", 2), "\u00e4\u00e4");
  EXPECT_EQ(one_line("a\tb\nc\033[K\x7f", 80), "a b c [K ");
  EXPECT_EQ(one_line("abc", 0), "");
}

TEST(WrapCommand, ContinuesBehindABackslash) {
  EXPECT_EQ(wrap_command("  run m.onnx --onnxrt -v", 16, 4), "  run m.onnx \\\n    --onnxrt -v");
  EXPECT_EQ(wrap_command("run 'a b c' x", 11, 2), "run \\\n  'a b c' x");
}

}  // namespace
}  // namespace assay::cli
