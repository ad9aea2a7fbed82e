#include "reduce/judge/words_of_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::reduce {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> quotes(std::string_view line) {
  std::vector<std::string> texts;
  for (const Quoted& quoted : quoted_in(line)) texts.emplace_back(quoted.text);
  return texts;
}

TEST(Quotes, MayBeOfAnyKindAndHoldBlanks) {
  EXPECT_THAT(quotes("node \"a b\", 'c' and `d' or `e`."), ElementsAre("a b", "c", "d", "e"));
  EXPECT_THAT(quotes("('' and \"\")"), ElementsAre("", ""));
}

TEST(Quotes, AreNotTheApostrophesOfWords) {
  EXPECT_THAT(quotes("it isn't the model's"), IsEmpty());
  EXPECT_THAT(quotes("'the model's node'"), ElementsAre("the model's node"));
}

TEST(Quotes, ThatNothingClosesAreNone) {
  EXPECT_THAT(quotes("an 'open one"), IsEmpty());
  EXPECT_THAT(quotes("'"), IsEmpty());
  EXPECT_THAT(quotes("'" + std::string(5000, 'x') + "'"), IsEmpty());
}

TEST(WithoutWhatVaries, PutsOneSignForSeveralNamesInARow) {
  EXPECT_EQ(without_what_varies("Outputs that differ: [\"a\", \"b\", c_1]"), "Outputs that differ ~");
}

TEST(WithoutWhatVaries, KeepsWhatTheEngineIsMadeOf) {
  EXPECT_EQ(without_what_varies("/src/op/conv.cpp:38: std::bad_alloc, NOT_IMPLEMENTED for tensor(float16) x1"),
            "conv.cpp:38 std::bad_alloc NOT_IMPLEMENTED for tensor float16 ~");
}

TEST(PlaceInSource, IsAFileWithALine) {
  EXPECT_EQ(place_in_source("/src/op/conv.cpp:38"), "conv.cpp:38");
  EXPECT_EQ(place_in_source("reshape_helper.h:91:5"), "reshape_helper.h:91:5");
  for (const char* word : {"", "38", ":38", "conv.cpp", "conv.cpp:", "conv.cpp38", "conv.cpp:x", "model.onnx:38"}) {
    EXPECT_EQ(place_in_source(word), "") << word;
  }
}

}  // namespace
}  // namespace assay::reduce
