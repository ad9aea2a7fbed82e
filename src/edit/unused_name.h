// Chooses names for what is added to a model.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace assay::edit {

// Returns `wanted` if it isn't taken, or else `wanted`, `separator` and the first number, counting up from `first`,
// with which it isn't. `is_taken(name)` is asked until it returns false, so it may take the name at once.
template <class IsTaken>
std::string unused_name(const std::string& wanted, IsTaken is_taken, int first, std::string_view separator = "_") {
  std::string name = wanted;
  for (int number = first; is_taken(name); ++number) name = fmt::format("{}{}{}", wanted, separator, number);
  return name;
}

}  // namespace assay::edit
