// Sequences follow ECMA-48: ESC [ parameters letter; strings for the terminal (ESC ] and others), which end with BEL or
// ESC \; and ESC with one more character. C1 controls, which are 0x80 to 0x9f, are two bytes in UTF-8, the first of
// which is 0xc2.
#include "base/without_escapes.h"

#include <algorithm>

namespace assay::base {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::string_view kStrings = "]PX^_";  // begin a string after ESC
constexpr std::string_view kEndsOfStrings = "\a\x1b\n";

bool is_between(char c, unsigned char low, unsigned char high) {
  const auto byte = static_cast<unsigned char>(c);
  return low <= byte && byte <= high;
}

bool is_control(char c) {
  return (is_between(c, 0, 0x1f) && c != '\t' && c != '\n') || c == '\x7f';
}

bool is_c1(std::string_view text) {
  return text.size() > 1 && text[0] == '\xc2' && is_between(text[1], 0x80, 0x9f);
}

// Returns the length of the parameters and the final letter of a sequence.
std::size_t length_of_parameters(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_between(text[at], 0x20, 0x3f)) ++at;
  return at + (at < text.size() && is_between(text[at], 0x40, 0x7e) ? 1 : 0);
}

// Returns the length of the sequence with which the text begins.
std::size_t length_of_escape(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] == '[') return 2 + length_of_parameters(text.substr(2));
  if (kStrings.find(text[1]) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kEndsOfStrings, 2), text.size());
    return text.substr(end, 2) == "\x1b\\" ? end + 2 : text.substr(end, 1) == "\a" ? end + 1 : end;
  }
  std::size_t at = 1;
  while (at < text.size() && is_between(text[at], 0x20, 0x2f)) ++at;
  return at < text.size() && !is_control(text[at]) && text[at] != '\n' ? at + 1 : at;
}

}  // namespace

std::string without_escapes(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = 1;
    if (text[0] == kEscape) {
      length = length_of_escape(text);
    } else if (text[0] == '\r') {
      if (text.substr(1, 1) != "\n") plain += '\n';
    } else if (is_c1(text)) {
      length = text[1] == '\x9b' ? 2 + length_of_parameters(text.substr(2)) : 2;
    } else if (!is_control(text[0])) {
      plain += text[0];
    }
    text.remove_prefix(length);
  }
  return plain;
}

}  // namespace assay::base
