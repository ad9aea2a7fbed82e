#include "base/python_string.h"

#include <fmt/format.h>

#include <optional>

#include "base/utf8.h"

namespace assay::base {

// UTF-8 is not escaped: Python reads source files as UTF-8.
std::string python_string(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::optional<Character> character = first_character(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (!character) {
      quoted += fmt::format("\\udc{:02x}", byte);
    } else if (byte < 0x20 || byte == 0x7f || byte == '"' || byte == '\\') {
      quoted += fmt::format("\\{:03o}", byte);
    } else {
      quoted += text.substr(0, character->length);
    }
    text.remove_prefix(character ? character->length : 1);
  }
  return quoted + "\"";
}

}  // namespace assay::base
