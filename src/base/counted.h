// Counts with the right plural, for messages.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace assay::base {

// Formats a number and a noun: "1 node", "3 nodes".
std::string counted(std::integral auto count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace assay::base
