#include "stats/numpy_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/read_block.h"
#include "tensor/float16_values.h"

namespace assay::stats {
namespace {

// The nearest float16, ties to even.
double round_to_float16(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent, -13) - 11);
  const double rounded = std::nearbyint(value / unit) * unit;
  return std::abs(rounded) > tensor::kLargestFloat16 ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                                     : rounded;
}

double round_to(Arithmetic arithmetic, double value) {
  if (arithmetic == Arithmetic::float16) return round_to_float16(value);
  if (arithmetic == Arithmetic::float32) return static_cast<float>(value);
  return value;
}

}  // namespace

Arithmetic arithmetic_of(tensor::ElementType type) {
  if (type == tensor::ElementType::float16) return Arithmetic::float16;
  if (type == tensor::ElementType::boolean) return Arithmetic::boolean;
  if (!is_floating(type)) return Arithmetic::integer;
  return type == tensor::ElementType::float64 ? Arithmetic::float64 : Arithmetic::float32;
}

QuantilePlace quantile_place(std::uint64_t count, double fraction) {
  const double place = static_cast<double>(count - 1) * fraction;
  const auto low = static_cast<std::uint64_t>(place);
  return {low, std::min(low + 1, count - 1), place - static_cast<double>(low)};
}

double interpolate(double low, double high, double weight, Arithmetic arithmetic) {
  const double step = round_to(arithmetic, high - low);
  const auto part = [&](double share) { return round_to(arithmetic, step * round_to(arithmetic, share)); };
  return round_to(arithmetic, weight >= 0.5 ? high - part(1 - weight) : low + part(weight));
}

double median_of(std::uint64_t count, double low, double high, Arithmetic arithmetic) {
  if (count % 2 == 1) return low;
  if (arithmetic == Arithmetic::float64 || arithmetic == Arithmetic::integer) return (low + high) / 2;
  return static_cast<float>(low + high) / 2;
}

}  // namespace assay::stats
