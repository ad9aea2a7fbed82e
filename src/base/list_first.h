// Lists for messages that may have many entries.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace assay::base {

// Joins the first `most` texts and says how many more there are: "a, b, and 3 more".
inline std::string list_first(std::vector<std::string> texts, std::size_t most, std::string_view separator) {
  if (texts.size() <= most) return join(texts, separator);
  const std::size_t more = texts.size() - most;
  texts.resize(most);
  return fmt::format("{}{}and {} more", join(texts, separator), separator, more);
}

}  // namespace assay::base
