#include "base/shorten_middle.h"

namespace assay::base {
namespace {

constexpr std::string_view kGap = "...";

// Returns where the character at `position` ends. Bytes that aren't UTF-8 count as characters of at most four bytes, so
// that a text without any is shortened, too.
std::size_t end_of_character(std::string_view text, std::size_t position) {
  constexpr std::size_t kLongest = 4;
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
  std::size_t end = position + 1;
  while (end < text.size() && end < position + kLongest && continues(text[end])) ++end;
  return end;
}

// Returns the position of a character in bytes.
std::size_t position_of(std::string_view text, std::size_t character) {
  std::size_t position = 0;
  while (character-- > 0) position = end_of_character(text, position);
  return position;
}

}  // namespace

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t position = 0; position < text.size(); position = end_of_character(text, position)) ++count;
  return count;
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
