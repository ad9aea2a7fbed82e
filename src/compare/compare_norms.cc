// Judgements by one number over all elements: length of the difference, angle, and signal to noise. All sums are in
// double; none needs memory.
//
// With a from the first run and b from the second: L2 = |a-b|; cosine = a.b / (|a||b|), 1 where both are zero;
// PSNR = 20 log10(|max a| / rms(a-b)), with 1 for a peak of 0, and SNR = 10 log10(mean(a^2) / mean((a-b)^2)), both in
// dB and infinite where a equals b. What the peer computes; no elements give NaN.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compare/compare_function.h"
#include "compare/read_block.h"

namespace assay::compare {
namespace {

struct Sums {
  double first_squared = 0;
  double second_squared = 0;
  double product = 0;
  double difference_squared = 0;
  double first_peak = -std::numeric_limits<double>::infinity();  // the largest value
  double count = 0;
};

Sums add_up(const OutputPair& pair) {
  Sums sums;
  sums.count = static_cast<double>(pair.first.size());
  std::array<double, kBlock> a;
  std::array<double, kBlock> b;
  for (std::uint64_t begin = 0; begin < pair.first.size(); begin += kBlock) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, pair.first.size() - begin));
    read_block(pair.first, begin, count, a.data());
    read_block(pair.second, begin, count, b.data());
    for (std::size_t i = 0; i < count; ++i) {
      const double difference = a[i] - b[i];
      sums.first_squared += a[i] * a[i];
      sums.second_squared += b[i] * b[i];
      sums.product += a[i] * b[i];
      sums.difference_squared += difference * difference;
      sums.first_peak = std::max(sums.first_peak, a[i]);
    }
  }
  return sums;
}

double cosine(const Sums& sums) {
  if (sums.first_squared == 0 && sums.second_squared == 0) return 1;
  if (sums.first_squared == 0 || sums.second_squared == 0) return 0;
  return sums.product / (std::sqrt(sums.first_squared) * std::sqrt(sums.second_squared));
}

double decibels(double factor, double signal, double noise, double count) {
  if (count == 0) return std::numeric_limits<double>::quiet_NaN();
  if (noise == 0) return std::numeric_limits<double>::infinity();
  return factor * std::log10(signal / noise);
}

bool report(std::string_view what, double value, std::string_view unit, double limit, bool passed, base::Log& log) {
  log.log(passed ? base::Level::info : base::Level::error, "        {}: {:.5g}{} (limit: {:g}{})", what, value, unit,
          limit, unit);
  return passed;
}

}  // namespace

bool compare_l2(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const double norm = std::sqrt(add_up(pair).difference_squared);
  const double limit = options.l2_tolerance.of(pair.name);
  return report("L2 norm of the difference", norm, "", limit, norm <= limit, log);
}

bool compare_cosine_similarity(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const double similarity = cosine(add_up(pair));
  const double limit = options.least_cosine.of(pair.name);
  return report("Cosine similarity", similarity, "", limit, similarity >= limit, log);
}

bool compare_psnr(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const Sums sums = add_up(pair);
  const double noise = std::sqrt(sums.difference_squared / sums.count);
  const double peak = sums.first_peak == 0 ? 1 : std::abs(sums.first_peak);
  const double ratio = decibels(20, peak, noise, sums.count);
  const double limit = options.least_psnr.of(pair.name);
  return report("Peak signal to noise", ratio, " dB", limit, ratio >= limit, log);
}

bool compare_snr(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const Sums sums = add_up(pair);
  const double ratio = decibels(10, sums.first_squared, sums.difference_squared, sums.count);
  const double limit = options.least_snr.of(pair.name);
  return report("Signal to noise", ratio, " dB", limit, ratio >= limit, log);
}

}  // namespace assay::compare
