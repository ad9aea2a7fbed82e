#include "compare/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compare/differences.h"
#include "compare/read_block.h"
#include "compare/ulp_distance.h"

namespace assay::compare {
namespace {

using base::ErrorKind;
using tensor::ElementKind;
using tensor::Tensor;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A range whose mean is still a sum.
struct Errors {
  ErrorRange range;
  double sum = 0;
  std::uint64_t count = 0;

  void add(double error, std::uint64_t position) {
    if (std::isnan(error)) return;
    sum += error;
    if (count++ == 0 || error > range.max) range.max = error, range.max_at = position;
  }
  [[nodiscard]] ErrorRange finish() const {
    ErrorRange result = range;
    if (count != 0) result.mean = sum / static_cast<double>(count);
    return result;
  }
};

// One block of both tensors, in the type in which NumPy would compute.
template <class Real>
struct Block {
  std::array<Real, kBlock + kSlack> first, second, absolute, relative;
  std::array<std::uint64_t, kBlock> ulps;
};

template <class Real>
class Measurement {
 public:
  Measurement(const Tensor& first, const Tensor& second, const MeasureOptions& options)
      : first_(first), second_(second), options_(options), differences_(first, second, options.infinities_equal) {
    summary_.elements = first.size();
    summary_.first_peak = -kInfinity;
  }

  ErrorSummary run() {
    Block<Real> block;
    for (std::uint64_t begin = 0; begin < first_.size(); begin += kBlock) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, first_.size() - begin));
      differences_.read(begin, count, block.first.data(), block.second.data(), block.absolute.data(),
                        block.relative.data());
      read_ulp_distances(first_, second_, begin, count, block.ulps.data());
      for (std::size_t i = 0; i < count; ++i) add(block, i, begin + i);
    }
    summary_.absolute = absolute_.finish();
    summary_.relative = relative_.finish();
    return summary_;
  }

 private:
  void add(const Block<Real>& block, std::size_t i, std::uint64_t position) {
    const double a = block.first[i];
    const double b = block.second[i];
    double absolute = block.absolute[i];
    double relative = block.relative[i];
    if (options_.nans_equal && std::isnan(a) && std::isnan(b)) absolute = relative = 0;
    if (options_.infinities_equal && std::isinf(a) && a == b) relative = 0;
    absolute_.add(absolute, position);
    relative_.add(relative, position);
    if (std::isnan(absolute)) ++summary_.undefined;
    if (!(absolute <= options_.absolute_tolerance) && !(relative <= options_.relative_tolerance)) {
      if (summary_.beyond++ == 0) summary_.first_beyond = position;
    }
    if (block.ulps[i] != kNoUlp && block.ulps[i] > summary_.max_ulp) {
      summary_.max_ulp = block.ulps[i];
      summary_.max_ulp_at = position;
    }
    count_strange(a, b);
    summary_.first_squared += a * a;
    summary_.second_squared += b * b;
    summary_.product += a * b;
    summary_.difference_squared += (a - b) * (a - b);
    summary_.first_peak = std::max(summary_.first_peak, a);
  }

  void count_strange(double a, double b) {
    if (std::isfinite(a) && std::isfinite(b)) return;
    summary_.nan.first += std::isnan(a) ? 1 : 0;
    summary_.nan.second += std::isnan(b) ? 1 : 0;
    summary_.nan.mismatched += std::isnan(a) != std::isnan(b) ? 1 : 0;
    summary_.infinite.first += std::isinf(a) ? 1 : 0;
    summary_.infinite.second += std::isinf(b) ? 1 : 0;
    summary_.infinite.mismatched += (std::isinf(a) || std::isinf(b)) && a != b ? 1 : 0;
  }

  const Tensor& first_;
  const Tensor& second_;
  const MeasureOptions& options_;
  Differences<Real> differences_;
  ErrorSummary summary_;
  Errors absolute_;
  Errors relative_;
};

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
  return decibels(20, first_peak == 0 ? 1 : std::abs(first_peak), noise, elements);
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

}  // namespace assay::compare
