// Counts errors by size, and by the size of the values, in one pass. Bins are quarters of powers of ten.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compare/pair_facts.h"

namespace assay::compare {

inline constexpr int kQuarters = 4;       // bins for each power of ten
inline constexpr int kLeastPower = -50;   // smaller numbers count as this
inline constexpr int kLargestPower = 50;  // larger numbers count as this
inline constexpr std::size_t kSizeBins = (kLargestPower - kLeastPower) * kQuarters;

// Errors of one kind, absolute or relative.
struct Spread {
  std::uint64_t zeros = 0;
  std::uint64_t undefined = 0;         // NaN or infinite
  std::vector<std::uint64_t> by_size;  // kSizeBins counts of all other errors
  // Counts [value of the second tensor][error], kSizeBins each; saturates at 2^32 - 1.
  std::vector<std::uint32_t> by_value;

  Spread() : by_size(kSizeBins), by_value(kSizeBins * kSizeBins) {}
};

struct ErrorSpread {
  Spread absolute;
  Spread relative;
};

ErrorSpread spread_of(const PairFacts& facts);

// Formats a line for each power of ten that occurs: the number of errors of that size, and a bar.
std::string draw_text(const Spread& spread);
// Draws an SVG picture of both kinds: counts by size of the error, and errors against values.
std::string draw_svg(const ErrorSpread& spread, const std::string& title, double absolute_tolerance,
                     double relative_tolerance);

}  // namespace assay::compare
