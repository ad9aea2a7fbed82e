#include "stats/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "stats/block_kernels.h"
#include "stats/differences.h"
#include "stats/error_tally.h"
#include "stats/parallel.h"
#include "stats/read_block.h"
#include "stats/ulp_distance.h"

namespace assay::stats {
namespace {

using base::ErrorKind;
using tensor::ElementKind;
using tensor::Tensor;

// A block of both tensors and their differences, in the type in which NumPy would compute.
template <class Real>
struct Blocks {
  BlockOf<Real> first, second, absolute, relative;
  std::array<std::uint64_t, kBlock> ulps;
};

template <class Real>
class Measurement {
 public:
  Measurement(const Tensor& first, const Tensor& second, const MeasureOptions& options)
      : first_(first),
        second_(second),
        options_(options),
        floats_(first.type() == tensor::ElementType::float32 && second.type() == tensor::ElementType::float32),
        differences_(first, second, options.equal) {}

  ErrorSummary run() const;

 private:
  void add_block(std::uint64_t begin, std::size_t count, Blocks<Real>& blocks, ErrorSums& sums,
                 ErrorFindings& found) const;
  // Adds a block in which everything is finite.
  void add_finite(const BlockMeasure<Real>& measured, std::uint64_t begin, std::size_t count,
                  const Blocks<Real>& blocks, ErrorSums& sums, ErrorFindings& found) const;
  void add_element(const Blocks<Real>& blocks, std::size_t i, std::uint64_t position, ErrorSums& sums,
                   ErrorFindings& found) const;
  void add_ulps(std::uint64_t begin, std::size_t count, Blocks<Real>& blocks, ErrorFindings& found) const;
  [[nodiscard]] bool is_beyond(double absolute, double relative) const {
    return !(absolute <= options_.absolute_tolerance) && !(relative <= options_.relative_tolerance);
  }

  const Tensor& first_;
  const Tensor& second_;
  const MeasureOptions& options_;
  bool floats_;  // both are float32, for which there is a ULP kernel
  Differences<Real> differences_;
  const BlockKernels<Real>& kernels_ = block_kernels<Real>();
};

// Finds the position of the block's largest number, unless an earlier block had a larger one.
template <class Real>
void add_largest(const BlockOf<Real>& block, Real largest, std::uint64_t begin, std::size_t count,
                 Largest<double>& found) {
  if (found.at != kNowhere && static_cast<double>(largest) < found.value) return;
  const Real* at = std::find(block.values, block.values + count, largest);
  found.add(static_cast<double>(largest), begin + static_cast<std::uint64_t>(at - block.values));
}

template <class Real>
void Measurement<Real>::add_finite(const BlockMeasure<Real>& measured, std::uint64_t begin, std::size_t count,
                                   const Blocks<Real>& blocks, ErrorSums& sums, ErrorFindings& found) const {
  sums.add({measured.absolute_sum, measured.relative_sum, count, count, measured.first_squared, measured.second_squared,
            measured.product, measured.difference_squared});
  add_largest(blocks.absolute, measured.absolute_max, begin, count, found.absolute);
  add_largest(blocks.relative, measured.relative_max, begin, count, found.relative);
  found.first_peak = std::max(found.first_peak, static_cast<double>(measured.first_peak));
  found.beyond += measured.beyond;
  if (measured.beyond == 0 || found.first_beyond <= begin) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_beyond(blocks.absolute.values[i], blocks.relative.values[i])) continue;
    found.first_beyond = std::min(found.first_beyond, begin + i);
    return;
  }
}

template <class Real>
void Measurement<Real>::add_element(const Blocks<Real>& blocks, std::size_t i, std::uint64_t position, ErrorSums& sums,
                                    ErrorFindings& found) const {
  const double a = blocks.first.values[i];
  const double b = blocks.second.values[i];
  const double absolute = blocks.absolute.values[i];
  const double relative = blocks.relative.values[i];
  if (!std::isnan(absolute)) {
    sums.absolute += absolute;
    ++sums.absolute_count;
    found.absolute.add(absolute, position);
  } else {
    ++found.undefined;
  }
  if (!std::isnan(relative)) {
    sums.relative += relative;
    ++sums.relative_count;
    found.relative.add(relative, position);
  }
  if (is_beyond(absolute, relative)) {
    ++found.beyond;
    found.first_beyond = std::min(found.first_beyond, position);
  }
  found.count_special(a, b);
  if (absolute == 0 && !std::isfinite(a)) return;  // equal by the options, so the pair says nothing about the size
  sums.first_squared += a * a;
  sums.second_squared += b * b;
  sums.product += a * b;
  const double difference = std::is_same_v<Real, float> || !std::isfinite(a - b) ? a - b : absolute;
  sums.difference_squared += difference * difference;
  if (!std::isnan(a)) found.first_peak = std::max(found.first_peak, a);
}

template <class Real>
void Measurement<Real>::add_ulps(std::uint64_t begin, std::size_t count, Blocks<Real>& blocks,
                                 ErrorFindings& found) const {
  if constexpr (std::is_same_v<Real, float>) {
    if (floats_) {
      const std::uint32_t largest = largest_ulp(blocks.first.values, blocks.second.values, count);
      if (largest == 0 || (found.ulp.at != kNowhere && largest < found.ulp.value)) return;
    }
  }
  read_ulp_distances(first_, second_, begin, count, blocks.ulps.data());
  for (std::size_t i = 0; i < count; ++i) {
    if (blocks.ulps[i] != kNoUlp && blocks.ulps[i] != 0) found.ulp.add(blocks.ulps[i], begin + i);
  }
}

template <class Real>
void Measurement<Real>::add_block(std::uint64_t begin, std::size_t count, Blocks<Real>& blocks, ErrorSums& sums,
                                  ErrorFindings& found) const {
  differences_.read(begin, count, blocks.first.values, blocks.second.values, blocks.absolute.values,
                    blocks.relative.values);
  const BlockMeasure<Real> measured =
      kernels_.measure(blocks.first.values, blocks.second.values, blocks.absolute.values, blocks.relative.values, count,
                       options_.absolute_tolerance, options_.relative_tolerance);
  if (measured.special) {
    for (std::size_t i = 0; i < count; ++i) add_element(blocks, i, begin + i, sums, found);
  } else {
    add_finite(measured, begin, count, blocks, sums, found);
  }
  add_ulps(begin, count, blocks, found);
}

template <class Real>
ErrorSummary Measurement<Real>::run() const {
  constexpr std::uint64_t kPiece = 64 * kBlock;
  const auto pieces = static_cast<std::size_t>((first_.size() + kPiece - 1) / kPiece);
  const int threads = threads_for(first_.size(), options_.threads);
  std::vector<std::unique_ptr<Blocks<Real>>> blocks;
  for (int i = 0; i < threads; ++i) blocks.push_back(std::make_unique<Blocks<Real>>());
  std::vector<ErrorFindings> found(static_cast<std::size_t>(threads));
  std::vector<ErrorSums> sums(pieces);
  for_each_piece(pieces, threads, [&](int thread, std::size_t piece) {
    const auto t = static_cast<std::size_t>(thread);
    const std::uint64_t end = std::min(first_.size(), (piece + 1) * kPiece);
    for (std::uint64_t begin = piece * kPiece; begin < end; begin += kBlock) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, end - begin));
      add_block(begin, count, *blocks[t], sums[piece], found[t]);
    }
  });
  ErrorSums sum;
  for (const ErrorSums& piece : sums) sum.add(piece);
  for (std::size_t i = 1; i < found.size(); ++i) found.front().add(found[i]);
  return summary_of(sum, found.front(), first_.size());
}

ErrorSummary measure_strings(const Tensor& first, const Tensor& second) {
  ErrorSummary summary;
  summary.elements = first.size();
  for (std::uint64_t i = 0; i < first.size(); ++i) {
    if (first.strings()[i] == second.strings()[i]) continue;
    if (summary.beyond++ == 0) summary.first_beyond = i;
  }
  return summary;
}

ErrorSummary measure_numbers(const Tensor& first, const Tensor& second, const MeasureOptions& options) {
  return fits_in_float(first.type(), second.type()) ? Measurement<float>(first, second, options).run()
                                                    : Measurement<double>(first, second, options).run();
}

double decibels(double factor, double signal, double noise, std::uint64_t elements) {
  if (elements == 0) return std::numeric_limits<double>::quiet_NaN();
  if (noise == 0) return std::numeric_limits<double>::infinity();
  return factor * std::log10(signal / noise);
}

}  // namespace

double ErrorSummary::l2() const {
  return std::sqrt(difference_squared);
}

double ErrorSummary::cosine() const {
  if (first_squared == 0 && second_squared == 0) return 1;
  if (first_squared == 0 || second_squared == 0) return 0;
  return product / (std::sqrt(first_squared) * std::sqrt(second_squared));
}

double ErrorSummary::psnr() const {
  const double noise = std::sqrt(difference_squared / static_cast<double>(elements));
  return decibels(20, first_peak <= 0 ? 1 : first_peak, noise, elements);
}

double ErrorSummary::snr() const {
  return decibels(10, first_squared, difference_squared, elements);
}

base::Expected<ErrorSummary> measure(const Tensor& first, const Tensor& second, const MeasureOptions& options) {
  if (first.shape() != second.shape()) {
    return base::fail(ErrorKind::invalid_input,
                      fmt::format("the shapes {} and {} differ", tensor::format_shape(first.shape()),
                                  tensor::format_shape(second.shape())));
  }
  const ElementKind kind = tensor::info(first.type()).kind;
  const ElementKind other = tensor::info(second.type()).kind;
  if (kind == ElementKind::string && other == ElementKind::string) return measure_strings(first, second);
  if (kind == ElementKind::complex && other == ElementKind::complex) {
    return measure_numbers(as_pairs(first), as_pairs(second), options);
  }
  if (is_numeric(first.type()) && is_numeric(second.type())) return measure_numbers(first, second, options);
  return base::fail(ErrorKind::invalid_input, fmt::format("{} and {} cannot be compared", tensor::name(first.type()),
                                                          tensor::name(second.type())));
}

}  // namespace assay::stats
