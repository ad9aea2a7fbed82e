#include "base/python_string.h"

#include <fmt/format.h>

namespace assay::base {
namespace {

// Returns the length of the UTF-8 character with which the text begins, or 0 if it begins with another byte.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  // These need a shorter form, are halves of a surrogate pair, or exceed U+10FFFF.
  const unsigned next = byte(1);
  const bool is_short = (lead == 0xE0 && next < 0xA0) || (lead == 0xF0 && next < 0x90);
  const bool is_invalid = (lead == 0xED && next >= 0xA0) || (lead == 0xF4 && next >= 0x90);
  return is_short || is_invalid ? 0 : length;
}

}  // namespace

// UTF-8 is not escaped: Python reads source files as UTF-8.
std::string python_string(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      quoted += fmt::format("\\udc{:02x}", byte);
    } else if (byte < 0x20 || byte == 0x7f || byte == '"' || byte == '\\') {
      quoted += fmt::format("\\{:03o}", byte);
    } else {
      quoted += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return quoted + "\"";
}

}  // namespace assay::base
