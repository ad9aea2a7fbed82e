// Summarises how long the iterations of a runner took.
#pragma once

#include <string>
#include <vector>

namespace assay::run {

struct TimingSummary {
  std::size_t iterations = 0;
  // In seconds. Quartiles and median as in NumPy's percentile (linear interpolation). All 0 if there are no iterations.
  double total = 0;
  double mean = 0;
  double least = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double most = 0;
};

TimingSummary summarize_timings(std::vector<double> seconds);

// Formats "Completed 10 iterations in 45.9 ms | Average: 4.59 ms | Median: 4.55 ms, half of them from 4.5 to 4.62 ms,
// all from 4.49 to 5.1 ms"; for a single iteration, only its time.
std::string describe_timings(const TimingSummary& summary);

}  // namespace assay::run
