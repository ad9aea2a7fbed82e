#include "base/shorten_middle.h"

#include <algorithm>

namespace assay::base {
namespace {

constexpr std::string_view kGap = "...";

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

// Returns the position of a character in bytes.
std::size_t position_of(std::string_view text, std::size_t character) {
  std::size_t position = 0;
  for (; position < text.size(); ++position) {
    if (!begins_character(text[position])) continue;
    if (character == 0) return position;
    --character;
  }
  return position;
}

}  // namespace

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string shorten_middle(std::string_view text, std::size_t width) {
  const std::size_t size = count_characters(text);
  if (size <= width || width <= kGap.size()) return std::string(text);
  const std::size_t kept = width - kGap.size();
  const std::size_t left = kept / 2;
  std::string shorter(text.substr(0, position_of(text, left)));
  shorter += kGap;
  shorter += text.substr(position_of(text, size - (kept - left)));
  return shorter;
}

}  // namespace assay::base
