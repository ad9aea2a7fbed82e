// A verdict that several pages have.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::pages {

// Returns "All 3 outputs of A and B agree" or, for a single one, "The only output of A and B agrees".
inline std::string all_agree(std::int64_t count, std::string_view noun, std::string_view sides) {
  if (count == 1) return fmt::format("The only {} of {} agrees", noun, sides);
  return fmt::format("All {} {}s of {} agree", count, noun, sides);
}

}  // namespace assay::pages
