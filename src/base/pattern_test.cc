#include "base/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace assay::base {
namespace {

using testing::HasSubstr;

struct Case {
  const char* pattern;
  const char* text;
  bool matches;
};

// Expected: bool(re.search(pattern, text)) of Python 3.11.
TEST(Regex, MatchesAsPythonDoes) {
  constexpr Case kCases[] = {
      {R"(\Aab)", "ab", true},
      {R"(\Aab)", "cab", false},
      {R"(\Ab)", "a\nb", false},
      {R"((?m)\Ab)", "a\nb", false},
      {R"(end\Z)", "the end", true},
      {R"(end\Z)", "the end\n", false},
      {R"(\\Z)", R"(\Z)", true},
      {R"(\\Z)", "end", false},
      {"end$", "the end", true},
      {"end$", "the end\n", true},
      {"end$", "the end\n\n", false},
      {"end$", "the end\r\n", false},
      {"end$", "end of line\n", false},
      {"(?m)end$", "the end\nof", true},
      {"(?m)^$", "a\n", true},
      {"^b", "a\nb", false},
      {"(?m)^b", "a\nb", true},
      {"a(?=b)", "ab", true},
      {"a(?=b)", "ac", false},
      {"a(?!b)", "ab", false},
      {"(?<=a)b", "ab", true},
      {"(?<!a)b", "ab", false},
      {"a.c", "a\nc", false},
      {"a.c", "a\rc", true},
      {"(?s)a.c", "a\nc", true},
      {"^.$", "é", true},
      {R"(^\w+$)", "naïveté", true},
      {"(?i)ÉTÉ", "été", true},
      {R"(\bé)", "né", false},
      {R"(^\d$)", "٣", true},
      {R"(^\s$)", "\u00a0", true},
      {R"(\u00e9)", "é", true},
      {R"(\U0001F600)", "😀", true},
      {R"(^[\u00e0-\u00ef]$)", "é", true},
      {"^a{,2}$", "aa", true},
      {"^a{,2}$", "aaa", false},
      {"^a{,2}$", "a{,2}", false},
      {"[{,2}]", "2", true},
      {"[]{,2}]0", "{0", true},
      {"[^]{,2}]", "]", false},
      {R"((a)\1)", "aa", true},
      {"(?P<x>a)b(?P=x)", "aba", true},
      {"(?x) a b # ab", "ab", true},
      {"a|", "b", true},
      {"", "", true},
  };
  for (const Case& one : kCases) {
    const auto pattern = Pattern::regex(one.pattern);
    ASSERT_TRUE(pattern) << pattern.error().message();
    EXPECT_EQ(pattern->matches(one.text).value(), one.matches) << one.pattern << " in " << one.text;
  }
}

// Expected: fnmatch.fnmatchcase(text, pattern) of Python 3.11.
TEST(Wildcard, MatchesAsPythonDoes) {
  constexpr Case kCases[] = {
      {"*", "", true},
      {"**", "x", true},
      {"*conv*", "block/conv_1", true},
      {"abc", "abcd", false},
      {"abc", "ABC", false},
      {"*a*b*c", "aXbXbc", true},
      {"*a*b*c", "aXbXb", false},
      {"a*b*b", "ab", false},
      {"a\nb*", "a\nb\nc", true},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"a?c", "aéc", true},
      {"x[0-9]", "x7", true},
      {"x[!0-9]", "x7", false},
      {"x[!0-9]", "xs", true},
      {"x[", "x[", true},
      {"x[!", "x[!", true},
      {"[^a]", "^", true},
      {"[^a]", "b", false},
      {"[]a]", "]", true},
      {"[!]a]", "]", false},
      {"[a-]", "-", true},
      {R"(a\*)", R"(a\b)", true},
      {R"([\])", R"(\)", true},
      {"[*]", "a", false},
      {"[?]", "?", true},
      {"[[:alpha:]]", "a", false},
      {"[[:alpha:]]", "a]", true},
      {"[à-ï]", "é", true},
      {"[é]", "é", true},
      {"a.b", "axb", false},
      {"(a|b)", "a", false},
      {"(a|b)", "(a|b)", true},
      {"a#b c", "a#b c", true},
      {"layer[0]/out", "layer[0]/out", false},
      {"layer[[]0]/*", "layer[0]/out", true},
  };
  for (const Case& one : kCases) {
    const auto pattern = Pattern::wildcard(one.pattern);
    ASSERT_TRUE(pattern) << pattern.error().message();
    EXPECT_EQ(pattern->matches(one.text).value(), one.matches) << one.pattern << " in " << one.text;
  }
}

// Positions are those at which pcre2test stops, in characters: after the rejected part.
TEST(Regex, ErrorsPointToThePosition) {
  const auto error = [](std::string_view pattern) { return Pattern::regex(pattern).error().message(); };
  EXPECT_EQ(error("(unclosed"),
            "not a regular expression: missing closing parenthesis at position 9 (in (unclosed). Correct the pattern");
  EXPECT_THAT(error("ab)"), HasSubstr("unmatched closing parenthesis at position 2 "));
  EXPECT_THAT(error("*a"), HasSubstr("at position 0 "));
  EXPECT_THAT(error("été["), HasSubstr("missing terminating ] for character class at position 4 "));
  EXPECT_THAT(error(R"(a\)"), HasSubstr("\\ at end of pattern at position 2 "));
  EXPECT_THAT(error("a{,2}{3,1}"), HasSubstr("numbers out of order in {} quantifier at position 9 "));
  EXPECT_THAT(error("(?<=a+)b"), HasSubstr("lookbehind assertion is not fixed length at position 0 "));
  EXPECT_THAT(error("ab\xff"), HasSubstr("UTF-8 error: illegal byte (0xfe or 0xff) at position 2 "));
}

TEST(Wildcard, ANameStandsForItself) {
  EXPECT_TRUE(stands_for("x[0]", "x[0]"));
  EXPECT_TRUE(stands_for("token_*", "token_1"));
  EXPECT_FALSE(stands_for("token_*", "mask"));
  EXPECT_FALSE(stands_for("[z-a]", "z"));
}

TEST(Wildcard, TheLongestOneCountsForANameWithoutAnEntry) {
  const std::map<std::string, int> entries = {{"*", 1}, {"pixel_*", 2}, {"pixel_mask", 3}, {"?ixel*", 4}};
  EXPECT_EQ(find_entry_for(entries, "pixel_values")->second, 2);
  EXPECT_EQ(find_entry_for(entries, "pixel_mask")->second, 3);
  EXPECT_EQ(find_entry_for(entries, "ids")->second, 1);
  const std::map<std::string, int> others = {{"x*", 1}};
  EXPECT_EQ(find_entry_for(others, "ids"), others.end());
}

TEST(Wildcard, ErrorsPointToThePosition) {
  const auto error = [](std::string_view pattern) { return Pattern::wildcard(pattern).error().message(); };
  EXPECT_EQ(error("*.é[z-a]"),
            "not a wildcard: range out of order in character class at position 6 (in *.é[z-a]). Correct the pattern");
}

TEST(Regex, FailsInsteadOfBacktrackingForever) {
  const auto error = [](std::string_view pattern, const std::string& text) {
    const auto found = Pattern::regex(pattern)->matches(text);
    return found ? "no error" : found.error().message();
  };
  EXPECT_EQ(error("^(a|aa)+$", std::string(100, 'a') + "b"),
            "matching the pattern with a text of 101 B takes too many steps (in ^(a|aa)+$). Write it without "
            "repetitions inside repetitions, such as (x+)+");
  // No attempt takes more than a million steps, but there are a million attempts.
  EXPECT_THAT(error("(?s)x.*[yz]", std::string(1'000'000, 'x')), HasSubstr("too many steps"));
}

TEST(Regex, SearchesALongTextToItsEnd) {
  const std::string text(16U << 20, 'x');
  EXPECT_FALSE(Pattern::regex("^x.*y")->matches(text).value());
  EXPECT_TRUE(Pattern::regex("^x.*y$")->matches(text + "y\n").value());
}

TEST(Wildcard, NeverBacktracks) {
  const std::string text(3000, 'a');
  EXPECT_FALSE(Pattern::wildcard("*a*a*a*a*a*a*b")->matches(text).value());
  EXPECT_FALSE(Pattern::wildcard("*[ab]*[ab]*[ab]*[ab]*c")->matches(text).value());
}

TEST(Patterns, MatchAroundBytesThatAreNotUtf8) {
  EXPECT_TRUE(Pattern::regex("Error: .+\\Z")->matches("\xff\xfe\x80 Error: é").value());
  EXPECT_FALSE(Pattern::regex("a.b")
                   ->matches("a\xff"
                             "b")
                   .value());
  EXPECT_TRUE(Pattern::wildcard("*")->matches("\xff").value());
  EXPECT_TRUE(Pattern::wildcard("a*b")
                  ->matches("a\xff"
                            "b")
                  .value());
}

}  // namespace
}  // namespace assay::base
