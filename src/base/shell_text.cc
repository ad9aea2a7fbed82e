#include "base/shell_text.h"

#include <string_view>

#include "base/strings.h"

namespace assay::base {

std::string shell_text(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  std::vector<std::string> quoted;
  for (const std::string& word : words) {
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      quoted.push_back(word);
      continue;
    }
    std::string safe = "'";
    for (const char c : word) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    quoted.push_back(safe + "'");
  }
  return join(quoted, " ");
}

}  // namespace assay::base
