// The sums and largest errors that measure() accumulates while it walks over two tensors.
#pragma once

#include <cstdint>
#include <limits>

#include "stats/measure.h"

namespace assay::stats {

inline constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

// The sums over one piece of the tensors. Pieces are summed separately, so that the result doesn't depend on which
// thread took which piece.
struct ErrorSums {
  double absolute = 0;
  double relative = 0;
  std::uint64_t absolute_count = 0;  // errors that aren't NaN
  std::uint64_t relative_count = 0;
  double first_squared = 0;
  double second_squared = 0;
  double product = 0;
  double difference_squared = 0;

  void add(const ErrorSums& other);
};

// The largest number and the position of its first occurrence.
template <class Number>
struct Largest {
  Number value{};
  std::uint64_t at = kNowhere;

  void add(Number number, std::uint64_t position) {
    if (at == kNowhere || number > value || (number == value && position < at)) value = number, at = position;
  }
  void add(const Largest& other) {
    if (other.at != kNowhere) add(other.value, other.at);
  }
};

// One thread's findings that don't depend on the order in which elements are visited.
struct ErrorFindings {
  Largest<double> absolute;
  Largest<double> relative;
  Largest<std::uint64_t> ulp;
  std::uint64_t undefined = 0;
  std::uint64_t beyond = 0;
  std::uint64_t first_beyond = kNowhere;
  ErrorSummary::SpecialCounts nan;
  ErrorSummary::SpecialCounts infinite;
  double first_peak = -std::numeric_limits<double>::infinity();

  void add(const ErrorFindings& other);
  // Counts the pair if one of its values is NaN or infinite.
  void count_special(double a, double b);
};

// Returns the summary of two tensors with this number of elements each.
ErrorSummary summary_of(const ErrorSums& sums, const ErrorFindings& found, std::uint64_t elements);

}  // namespace assay::stats
