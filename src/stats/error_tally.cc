#include "stats/error_tally.h"

#include <algorithm>
#include <cmath>

namespace assay::stats {
namespace {

ErrorRange range_of(const Largest<double>& largest, double sum, std::uint64_t count) {
  if (count == 0) return {};
  return {sum / static_cast<double>(count), largest.value, largest.at};
}

}  // namespace

void ErrorSums::add(const ErrorSums& other) {
  absolute += other.absolute;
  relative += other.relative;
  absolute_count += other.absolute_count;
  relative_count += other.relative_count;
  first_squared += other.first_squared;
  second_squared += other.second_squared;
  product += other.product;
  difference_squared += other.difference_squared;
}

void ErrorFindings::add(const ErrorFindings& other) {
  absolute.add(other.absolute);
  relative.add(other.relative);
  ulp.add(other.ulp);
  undefined += other.undefined;
  beyond += other.beyond;
  first_beyond = std::min(first_beyond, other.first_beyond);
  for (const auto kind : {&ErrorFindings::nan, &ErrorFindings::infinite}) {
    (this->*kind).first += (other.*kind).first;
    (this->*kind).second += (other.*kind).second;
    (this->*kind).mismatched += (other.*kind).mismatched;
  }
  first_peak = std::max(first_peak, other.first_peak);
}

void ErrorFindings::count_special(double a, double b) {
  if (std::isfinite(a) && std::isfinite(b)) return;
  nan.first += std::isnan(a) ? 1 : 0;
  nan.second += std::isnan(b) ? 1 : 0;
  nan.mismatched += std::isnan(a) != std::isnan(b) ? 1 : 0;
  infinite.first += std::isinf(a) ? 1 : 0;
  infinite.second += std::isinf(b) ? 1 : 0;
  infinite.mismatched += (std::isinf(a) || std::isinf(b)) && a != b ? 1 : 0;
}

ErrorSummary summary_of(const ErrorSums& sums, const ErrorFindings& found, std::uint64_t elements) {
  ErrorSummary summary;
  summary.elements = elements;
  summary.absolute = range_of(found.absolute, sums.absolute, sums.absolute_count);
  summary.relative = range_of(found.relative, sums.relative, sums.relative_count);
  summary.undefined = found.undefined;
  summary.beyond = found.beyond;
  summary.first_beyond = found.beyond == 0 ? 0 : found.first_beyond;
  summary.max_ulp = found.ulp.value;
  summary.max_ulp_at = found.ulp.at == kNowhere ? 0 : found.ulp.at;
  summary.nan = found.nan;
  summary.infinite = found.infinite;
  summary.first_squared = sums.first_squared;
  summary.second_squared = sums.second_squared;
  summary.product = sums.product;
  summary.difference_squared = sums.difference_squared;
  summary.first_peak = found.first_peak;
  return summary;
}

}  // namespace assay::stats
