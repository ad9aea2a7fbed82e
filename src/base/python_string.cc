#include "base/python_string.h"

#include <fmt/format.h>

namespace assay::base {

std::string python_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // UTF-8 is not escaped: Python reads source files as UTF-8.
    const bool plain = byte >= 0x20 && byte != 0x7f && c != '"' && c != '\\';
    quoted += plain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
  }
  return quoted + "\"";
}

}  // namespace assay::base
