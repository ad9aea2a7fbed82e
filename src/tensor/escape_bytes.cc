#include "tensor/escape_bytes.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace assay::tensor {
namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = base::first_character(text);
    if (!character) return false;
    text.remove_prefix(character->length);
  }
  return true;
}

}  // namespace

std::string escape_bytes(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    escaped += byte < 0x80 ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return escaped;
}

}  // namespace assay::tensor
