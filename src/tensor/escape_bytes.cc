#include "tensor/escape_bytes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace assay::tensor {
namespace {

// nlohmann's writer checks UTF-8.
bool is_utf8(std::string_view text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::exception&) {
    return false;
  }
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
