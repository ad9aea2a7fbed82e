#pragma once

#include <cctype>
#include <string>

namespace assay::base {

// Returns the text with its first letter in upper case.
inline std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace assay::base
