#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace assay::base {
namespace {

TEST(FirstCharacter, IsDecoded) {
  for (const auto& [text, code, length] : {std::tuple<std::string_view, std::uint32_t, std::size_t>{"ab", 0x61, 1},
                                           {std::string_view("\0", 1), 0, 1},
                                           {"\u00e9b", 0xE9, 2},
                                           {"\u20ac", 0x20AC, 3},
                                           {"\U0001F600", 0x1F600, 4},
                                           {"\xf4\x8f\xbf\xbf", 0x10FFFF, 4}}) {
    const auto character = first_character(text);
    ASSERT_TRUE(character) << text;
    EXPECT_EQ(character->code, code);
    EXPECT_EQ(character->length, length);
  }
}

TEST(FirstCharacter, IsMissingIfTheBytesAreNotUtf8) {
  for (const std::string_view text : {"", "\x80", "\xff", "\xc3", "\xc3(", "\xe2\x82", "\xc0\xaf", "\xe0\x80\xaf",
                                      "\xf0\x80\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_FALSE(first_character(text)) << text;
  }
}

}  // namespace
}  // namespace assay::base
