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
#include "stats/parallel.h"
#include "stats/read_block.h"
#include "stats/ulp_distance.h"

namespace assay::stats {
namespace {

using base::ErrorKind;
using tensor::ElementKind;
using tensor::Tensor;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

// Sums over one piece of the tensors. Pieces are summed separately, so that the result doesn't depend on which thread
// took which piece.
struct Sums {
  double absolute = 0;
  double relative = 0;
  std::uint64_t absolute_count = 0;  // errors that aren't NaN
  std::uint64_t relative_count = 0;
  double first_squared = 0;
  double second_squared = 0;
  double product = 0;
  double difference_squared = 0;

  void add(const Sums& other) {
    absolute += other.absolute;
    relative += other.relative;
    absolute_count += other.absolute_count;
    relative_count += other.relative_count;
    first_squared += other.first_squared;
    second_squared += other.second_squared;
    product += other.product;
    difference_squared += other.difference_squared;
  }
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
struct Found {
  Largest<double> absolute;
  Largest<double> relative;
  Largest<std::uint64_t> ulp;
  std::uint64_t undefined = 0;
  std::uint64_t beyond = 0;
  std::uint64_t first_beyond = kNowhere;
  ErrorSummary::SpecialCounts nan;
  ErrorSummary::SpecialCounts infinite;
  double first_peak = -kInfinity;

  void add(const Found& other) {
    absolute.add(other.absolute);
    relative.add(other.relative);
    ulp.add(other.ulp);
    undefined += other.undefined;
    beyond += other.beyond;
    first_beyond = std::min(first_beyond, other.first_beyond);
    for (const auto kind : {&Found::nan, &Found::infinite}) {
      (this->*kind).first += (other.*kind).first;
      (this->*kind).second += (other.*kind).second;
      (this->*kind).mismatched += (other.*kind).mismatched;
    }
    first_peak = std::max(first_peak, other.first_peak);
  }
};

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
        differences_(first, second, options.infinities_equal) {}

  ErrorSummary run() const;

 private:
  void add_block(std::uint64_t begin, std::size_t count, Blocks<Real>& blocks, Sums& sums, Found& found) const;
  // Adds a block in which everything is finite.
  void add_finite(const BlockMeasure<Real>& measured, std::uint64_t begin, std::size_t count,
                  const Blocks<Real>& blocks, Sums& sums, Found& found) const;
  void add_element(const Blocks<Real>& blocks, std::size_t i, std::uint64_t position, Sums& sums, Found& found) const;
  void add_ulps(std::uint64_t begin, std::size_t count, Blocks<Real>& blocks, Found& found) const;
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

ErrorRange range_of(const Largest<double>& largest, double sum, std::uint64_t count) {
  if (count == 0) return {};
  return {sum / static_cast<double>(count), largest.value, largest.at};
}

ErrorSummary summary_of(const Sums& sums, const Found& found, std::uint64_t elements) {
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

template <class Real>
void largest_in(const BlockOf<Real>& block, Real largest, std::uint64_t begin, std::size_t count,
                Largest<double>& found) {
  if (found.at != kNowhere && static_cast<double>(largest) < found.value) return;
  const Real* at = std::find(block.values, block.values + count, largest);
  found.add(static_cast<double>(largest), begin + static_cast<std::uint64_t>(at - block.values));
}

template <class Real>
void Measurement<Real>::add_finite(const BlockMeasure<Real>& measured, std::uint64_t begin, std::size_t count,
                                   const Blocks<Real>& blocks, Sums& sums, Found& found) const {
  sums.add({measured.absolute_sum, measured.relative_sum, count, count, measured.first_squared, measured.second_squared,
            measured.product, measured.difference_squared});
  largest_in(blocks.absolute, measured.absolute_max, begin, count, found.absolute);
  largest_in(blocks.relative, measured.relative_max, begin, count, found.relative);
  found.first_peak = std::max(found.first_peak, static_cast<double>(measured.first_peak));
  found.beyond += measured.beyond;
  if (measured.beyond == 0 || found.first_beyond <= begin) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_beyond(blocks.absolute.values[i], blocks.relative.values[i])) continue;
    found.first_beyond = std::min(found.first_beyond, begin + i);
    return;
  }
}

void count_special(double a, double b, Found& found) {
  if (std::isfinite(a) && std::isfinite(b)) return;
  found.nan.first += std::isnan(a) ? 1 : 0;
  found.nan.second += std::isnan(b) ? 1 : 0;
  found.nan.mismatched += std::isnan(a) != std::isnan(b) ? 1 : 0;
  found.infinite.first += std::isinf(a) ? 1 : 0;
  found.infinite.second += std::isinf(b) ? 1 : 0;
  found.infinite.mismatched += (std::isinf(a) || std::isinf(b)) && a != b ? 1 : 0;
}

template <class Real>
void Measurement<Real>::add_element(const Blocks<Real>& blocks, std::size_t i, std::uint64_t position, Sums& sums,
                                    Found& found) const {
  const double a = blocks.first.values[i];
  const double b = blocks.second.values[i];
  double absolute = blocks.absolute.values[i];
  double relative = blocks.relative.values[i];
  if (options_.nans_equal && std::isnan(a) && std::isnan(b)) absolute = relative = 0;
  if (options_.infinities_equal && std::isinf(a) && a == b) relative = 0;
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
  count_special(a, b, found);
  if (absolute == 0 && !std::isfinite(a)) return;  // equal by the options, so the pair says nothing about the size
  sums.first_squared += a * a;
  sums.second_squared += b * b;
  sums.product += a * b;
  const double difference = std::is_same_v<Real, float> || !std::isfinite(a - b) ? a - b : absolute;
  sums.difference_squared += difference * difference;
  if (!std::isnan(a)) found.first_peak = std::max(found.first_peak, a);
}

template <class Real>
void Measurement<Real>::add_ulps(std::uint64_t begin, std::size_t count, Blocks<Real>& blocks, Found& found) const {
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
void Measurement<Real>::add_block(std::uint64_t begin, std::size_t count, Blocks<Real>& blocks, Sums& sums,
                                  Found& found) const {
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
  std::vector<Found> found(static_cast<std::size_t>(threads));
  std::vector<Sums> sums(pieces);
  for_each_piece(pieces, threads, [&](int thread, std::size_t piece) {
    const auto t = static_cast<std::size_t>(thread);
    const std::uint64_t end = std::min(first_.size(), (piece + 1) * kPiece);
    for (std::uint64_t begin = piece * kPiece; begin < end; begin += kBlock) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, end - begin));
      add_block(begin, count, *blocks[t], sums[piece], found[t]);
    }
  });
  Sums sum;
  for (const Sums& piece : sums) sum.add(piece);
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
  if (noise == 0) return kInfinity;
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
