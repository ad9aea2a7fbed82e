// UTF-8 as RFC 3629 defines it: each character in its shortest form, no halves of surrogate pairs, none above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::base {

struct Character {
  std::uint32_t code = 0;  // its number in Unicode
  std::size_t length = 0;  // bytes
};

// Returns the character with which the text begins; nothing if it is empty or begins with bytes that aren't UTF-8.
std::optional<Character> first_character(std::string_view text);

}  // namespace assay::base
