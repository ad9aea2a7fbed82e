// JSON as text. Names come from models, engines and files, so they needn't be UTF-8, which JSON requires: bytes that
// aren't UTF-8 become U+FFFD. nlohmann-json throws at such bytes by default.
#pragma once

#include <string>

namespace assay::base {

// Returns a value of nlohmann-json as text: on one line, or indented by this number of spaces.
template <class Json>
std::string json_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace assay::base
