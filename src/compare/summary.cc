// Sums follow NumPy's order of additions (pairwise_sum.h); medians and percentiles come from selection on a copy,
// without sorting it.
#include "compare/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "compare/order_statistics.h"
#include "compare/pairwise_sum.h"
#include "compare/read_block.h"

namespace assay::compare {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The nearest float16, ties to even.
double round_to_float16(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent, -13) - 11);
  const double rounded = std::nearbyint(value / unit) * unit;
  constexpr double kLargest = 65504;
  return std::abs(rounded) > kLargest ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
}

double round_to(Arithmetic arithmetic, double value) {
  if (arithmetic == Arithmetic::float16) return round_to_float16(value);
  if (arithmetic == Arithmetic::float32) return static_cast<float>(value);
  return value;
}

struct Extremes {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  std::uint64_t min_at = 0;
  std::uint64_t max_at = 0;
  bool has_nan = false;
  std::uint64_t nan_at = 0;
};

template <class Real>
Extremes find_extremes(const Series<Real>& series) {
  Extremes result;
  std::array<Real, kBlock> block;
  bool first = true;
  for (std::uint64_t begin = 0; begin < series.size(); begin += kBlock) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, series.size() - begin));
    series.read(begin, count, block.data());
    for (std::size_t i = 0; i < count; ++i) {
      const double value = block[i];
      if (std::isnan(value)) {
        result.has_nan = true;
        result.nan_at = begin + i;
        return result;
      }
      if (first || value < result.min) result.min = value, result.min_at = begin + i;
      if (first || value > result.max) result.max = value, result.max_at = begin + i;
      first = false;
    }
  }
  return result;
}

// How NumPy adds an array: as it is, or converted to another type on the way.
template <class Sum, class Read>
Sum add_up(const Read& read, std::uint64_t count, bool converted) {
  return converted ? converted_sum<Sum>(read, count) : pairwise_sum<Sum>(read, 0, count);
}

// numpy.mean(series, dtype=float32) of transformed values.
template <class Real, class Transform>
double mean_in_float(const Series<Real>& series, Arithmetic arithmetic, Transform transform) {
  const auto read = [&](std::uint64_t begin, std::size_t count, float* out) {
    std::array<Real, kPairwiseBlock> block;
    series.read(begin, count, block.data());
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(transform(block[i]));
  };
  const auto sum = add_up<float>(read, series.size(), arithmetic != Arithmetic::float32);
  return static_cast<float>(static_cast<double>(sum) / static_cast<double>(series.size()));
}

template <class Real>
double variance_of(const Series<Real>& series, Arithmetic arithmetic) {
  const bool converted = arithmetic == Arithmetic::integer || arithmetic == Arithmetic::boolean;
  const auto count_as_real = static_cast<double>(series.size());
  const auto read = [&](std::uint64_t begin, std::size_t count, Real* out) { series.read(begin, count, out); };
  const Real sum = add_up<Real>(read, series.size(), converted);
  const auto mean = static_cast<Real>(static_cast<double>(sum) / count_as_real);
  const auto read_squares = [&](std::uint64_t begin, std::size_t count, Real* out) {
    series.read(begin, count, out);
    for (std::size_t i = 0; i < count; ++i) {
      const Real deviation = out[i] - mean;
      out[i] = deviation * deviation;
    }
  };
  const Real squares = pairwise_sum<Real>(read_squares, 0, series.size());
  return static_cast<Real>(static_cast<double>(squares) / count_as_real);
}

// Two neighbours in the sorted series, and how far between them a quantile lies.
struct Between {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  double weight = 0;
};

Between locate(std::uint64_t count, double fraction) {
  const double place = static_cast<double>(count - 1) * fraction;
  const auto low = static_cast<std::uint64_t>(place);
  return {low, std::min(low + 1, count - 1), place - static_cast<double>(low)};
}

double median_of(std::uint64_t count, double low, double high, Arithmetic arithmetic) {
  if (count % 2 == 1) return low;
  if (arithmetic == Arithmetic::float64 || arithmetic == Arithmetic::integer) return (low + high) / 2;
  return round_to(arithmetic, static_cast<double>(static_cast<float>(low + high)) / 2);
}

// numpy.percentile's interpolation, whose every step is rounded to the array's type.
double interpolate(double low, double high, double weight, Arithmetic arithmetic) {
  const double step = round_to(arithmetic, high - low);
  const auto part = [&](double share) { return round_to(arithmetic, step * round_to(arithmetic, share)); };
  return round_to(arithmetic, weight >= 0.5 ? high - part(1 - weight) : low + part(weight));
}

template <class Real>
void set_quantiles(const Series<Real>& series, Arithmetic arithmetic, Summary& summary) {
  const std::uint64_t count = series.size();
  const std::array<Between, 3> places = {locate(count, 0.90), locate(count, 0.95), locate(count, 0.99)};
  std::vector<std::uint64_t> ranks = {(count - 1) / 2, count / 2};
  for (const Between& place : places) ranks.insert(ranks.end(), {place.low, place.high});
  const std::vector<Real> values = values_at_ranks<Real>(series, ranks);
  summary.median = median_of(count, values[0], values[1], arithmetic);
  if (!summary.has_percentiles) return;
  summary.p90 = interpolate(values[2], values[3], places[0].weight, arithmetic);
  summary.p95 = interpolate(values[4], values[5], places[1].weight, arithmetic);
  summary.p99 = interpolate(values[6], values[7], places[2].weight, arithmetic);
}

Summary all_nan(std::uint64_t count, std::uint64_t position) {
  return {count, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, position, position, true};
}

}  // namespace

Arithmetic arithmetic_of(tensor::ElementType type) {
  if (type == tensor::ElementType::float16) return Arithmetic::float16;
  if (type == tensor::ElementType::boolean) return Arithmetic::boolean;
  if (!is_floating(type)) return Arithmetic::integer;
  return type == tensor::ElementType::float64 ? Arithmetic::float64 : Arithmetic::float32;
}

template <>
void TensorSeries<float>::read(std::uint64_t begin, std::size_t count, float* out) const {
  read_block(tensor_, begin, count, out);
}
template <>
void TensorSeries<double>::read(std::uint64_t begin, std::size_t count, double* out) const {
  read_block(tensor_, begin, count, out);
}

template <class Real>
Summary summarize(const Series<Real>& series, Arithmetic arithmetic) {
  Summary summary;
  summary.count = series.size();
  summary.has_percentiles = arithmetic != Arithmetic::boolean;
  if (series.size() == 0) return summary;
  const Extremes extremes = find_extremes(series);
  if (extremes.has_nan) return all_nan(series.size(), extremes.nan_at);
  summary.min = extremes.min;
  summary.max = extremes.max;
  summary.min_at = extremes.min_at;
  summary.max_at = extremes.max_at;
  summary.mean = mean_in_float(series, arithmetic, [](Real value) { return value; });
  summary.mean_magnitude =
      extremes.min >= 0 ? summary.mean : mean_in_float(series, arithmetic, [](Real value) { return std::abs(value); });
  summary.variance = variance_of(series, arithmetic);
  summary.std_dev = sizeof(Real) == sizeof(float) ? static_cast<double>(std::sqrt(static_cast<float>(summary.variance)))
                                                  : std::sqrt(summary.variance);
  set_quantiles(series, arithmetic, summary);
  return summary;
}

template Summary summarize(const Series<float>&, Arithmetic);
template Summary summarize(const Series<double>&, Arithmetic);

Summary summarize(const tensor::Tensor& tensor) {
  const Arithmetic arithmetic = arithmetic_of(tensor.type());
  if (arithmetic == Arithmetic::float16 || arithmetic == Arithmetic::float32) {
    return summarize<float>(TensorSeries<float>(tensor), arithmetic);
  }
  return summarize<double>(TensorSeries<double>(tensor), arithmetic);
}

template <class Real>
double quantile(const Series<Real>& series, Arithmetic arithmetic, double fraction) {
  if (series.size() == 0 || find_extremes(series).has_nan) return kNaN;
  const Between place = locate(series.size(), fraction);
  const std::array<std::uint64_t, 2> ranks = {place.low, place.high};
  const std::vector<Real> values = values_at_ranks<Real>(series, ranks);
  return interpolate(values[0], values[1], place.weight, arithmetic);
}

template double quantile(const Series<float>&, Arithmetic, double);
template double quantile(const Series<double>&, Arithmetic, double);

std::string format_number(double value) {
  return fmt::format("{:.5g}", value);
}

std::string format_position(std::uint64_t position, const tensor::Shape& shape) {
  tensor::Shape indices(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(shape[axis]);
    indices[axis] = static_cast<std::int64_t>(extent == 0 ? 0 : position % extent);
    if (extent != 0) position /= extent;
  }
  return tensor::format_shape(indices);
}

std::string describe(const Summary& summary, const tensor::Shape& shape) {
  if (summary.count == 0) return "no elements";
  std::string text = fmt::format(
      "mean={:.5g}, std-dev={:.5g}, var={:.5g}, median={:.5g}, min={:.5g} at {}, max={:.5g} at {}, "
      "avg-magnitude={:.5g}",
      summary.mean, summary.std_dev, summary.variance, summary.median, summary.min,
      format_position(summary.min_at, shape), summary.max, format_position(summary.max_at, shape),
      summary.mean_magnitude);
  if (summary.has_percentiles) {
    text += fmt::format(", p90={:.5g}, p95={:.5g}, p99={:.5g}", summary.p90, summary.p95, summary.p99);
  }
  return text;
}

}  // namespace assay::compare
