// How large errors are, how many are so large, and how that goes with the size of the values: counts over quarters of
// powers of ten, in one pass.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compare/pair_facts.h"

namespace assay::compare {

inline constexpr int kQuarters = 4;       // bins a power of ten
inline constexpr int kLeastPower = -50;   // what is smaller counts as this
inline constexpr int kLargestPower = 50;  // what is larger likewise
inline constexpr std::size_t kSizeBins = (kLargestPower - kLeastPower) * kQuarters;

// Errors of one kind, absolute or relative.
struct Spread {
  std::uint64_t zeros = 0;
  std::uint64_t undefined = 0;          // not a number, or infinite
  std::vector<std::uint64_t> by_size;   // kSizeBins: of the others
  std::vector<std::uint32_t> by_value;  // [value of the second tensor][error], kSizeBins each; stops at 2^32 - 1

  Spread() : by_size(kSizeBins), by_value(kSizeBins * kSizeBins) {}
};

struct ErrorSpread {
  Spread absolute;
  Spread relative;
};

ErrorSpread spread_of(const PairFacts& facts);

// A line for each power of ten that occurs: how many errors are of that size, and a bar.
std::string draw_text(const Spread& spread);
// Both kinds: how many errors are how large, and errors against values.
std::string draw_svg(const ErrorSpread& spread, const std::string& title, double absolute_tolerance,
                     double relative_tolerance);

}  // namespace assay::compare
