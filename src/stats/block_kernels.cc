// Highway compiles this file once for each instruction set and selects one at run time. Kernels process whole vectors
// and mask the last one of a block. Sums are added in double, whatever the type of the numbers.
#include "stats/block_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stats/block_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace assay::stats {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
using Tag = hn::ScalableTag<Real>;
template <class Real>
using Vec = hn::Vec<Tag<Real>>;

template <class Real>
HWY_ATTR void take_differences(const Real* HWY_RESTRICT a, const Real* HWY_RESTRICT b, std::size_t count,
                               DifferenceRule rule, Real* HWY_RESTRICT absolute, Real* HWY_RESTRICT relative) {
  const Tag<Real> d;
  const auto zero = hn::Zero(d);
  const auto infinity = hn::Set(d, std::numeric_limits<Real>::infinity());
  const auto unit = hn::Set(d, static_cast<Real>(std::numeric_limits<double>::epsilon()));
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, a + i);
    const auto y = hn::LoadU(d, b + i);
    auto difference = hn::Abs(hn::Sub(x, y));
    if (rule.equal.infinities) {
      const auto same = hn::And(hn::Eq(x, y), hn::Eq(hn::Abs(x), infinity));
      difference = hn::IfThenElse(same, zero, difference);
    }
    auto divisor = hn::Abs(y);
    if (rule.replace_zero) divisor = hn::IfThenElse(hn::Eq(divisor, zero), unit, divisor);
    auto quotient = hn::Div(difference, divisor);
    if (rule.equal.nans) {
      const auto both = hn::And(hn::IsNaN(x), hn::IsNaN(y));
      difference = hn::IfThenElse(both, zero, difference);
      quotient = hn::IfThenElse(both, zero, quotient);
    }
    hn::StoreU(difference, d, absolute + i);
    hn::StoreU(quotient, d, relative + i);
  }
}

HWY_ATTR hn::Vec<Tag<double>> load_wide(const float* from) {
  const Tag<double> d;
  const hn::Rebind<float, Tag<double>> df;
  return hn::PromoteTo(d, hn::LoadU(df, from));
}
HWY_ATTR hn::Vec<Tag<double>> load_wide(const double* from) {
  return hn::LoadU(Tag<double>(), from);
}

template <class Real>
HWY_ATTR BlockSums add_up(const Real* HWY_RESTRICT x, std::size_t count) {
  const Tag<double> d;
  auto values = hn::Zero(d);
  auto magnitudes = hn::Zero(d);
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto v = hn::IfThenElseZero(hn::FirstN(d, count - i), load_wide(x + i));
    values = hn::Add(values, v);
    magnitudes = hn::Add(magnitudes, hn::Abs(v));
  }
  return {hn::GetLane(hn::SumOfLanes(d, values)), hn::GetLane(hn::SumOfLanes(d, magnitudes))};
}

template <class Real>
HWY_ATTR double squares_sum(const Real* HWY_RESTRICT x, std::size_t count, double mean) {
  const Tag<double> d;
  const auto middle = hn::Set(d, mean);
  auto squares = hn::Zero(d);
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto deviation = hn::IfThenElseZero(hn::FirstN(d, count - i), hn::Sub(load_wide(x + i), middle));
    squares = hn::MulAdd(deviation, deviation, squares);
  }
  return hn::GetLane(hn::SumOfLanes(d, squares));
}

// Used if there are NaNs: visits the numbers one by one.
template <class Real>
BlockExtremes<Real> find_extremes_among_nans(const Real* x, std::size_t count) {
  BlockExtremes<Real> result = {std::numeric_limits<Real>::infinity(), -std::numeric_limits<Real>::infinity(), true};
  for (std::size_t i = 0; i < count; ++i) {
    if (x[i] < result.min) result.min = x[i];
    if (x[i] > result.max) result.max = x[i];
  }
  return result;
}

template <class Real>
HWY_ATTR BlockExtremes<Real> find_extremes(const Real* HWY_RESTRICT x, std::size_t count) {
  const Tag<Real> d;
  const auto infinity = hn::Set(d, std::numeric_limits<Real>::infinity());
  const std::size_t lanes = hn::Lanes(d);
  // Two accumulators of each kind, since a comparison has a longer latency than the loop could hide with one.
  auto min = infinity;
  auto max = hn::Neg(infinity);
  auto min2 = min;
  auto max2 = max;
  auto nan = hn::IsNaN(min);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const auto v = hn::LoadU(d, x + i);
    const auto w = hn::LoadU(d, x + i + lanes);
    min = hn::Min(v, min);
    max = hn::Max(v, max);
    min2 = hn::Min(w, min2);
    max2 = hn::Max(w, max2);
    nan = hn::Or(nan, hn::Or(hn::IsNaN(v), hn::IsNaN(w)));
  }
  for (; i < count; i += lanes) {
    const auto in = hn::FirstN(d, std::min(lanes, count - i));
    const auto v = hn::LoadU(d, x + i);
    min = hn::Min(hn::IfThenElse(in, v, infinity), min);
    max = hn::Max(hn::IfThenElse(in, v, hn::Neg(infinity)), max);
    nan = hn::Or(nan, hn::And(in, hn::IsNaN(v)));
  }
  if (!hn::AllFalse(d, nan)) return find_extremes_among_nans(x, count);
  return {hn::GetLane(hn::MinOfLanes(d, hn::Min(min, min2))), hn::GetLane(hn::MaxOfLanes(d, hn::Max(max, max2))),
          false};
}

// Collects the bits of masks and extracts the numbers whose bits are set.
template <class Real>
class InsideMask {
 public:
  using Mask = hn::Mask<Tag<Real>>;

  HWY_ATTR void set(std::size_t i, Mask mask) {
    const Tag<Real> d;
    const std::size_t lanes = hn::Lanes(d);
    if (lanes >= 8) {
      hn::StoreMaskBits(d, mask, bytes_ + i / 8);
      return;
    }
    HWY_ALIGN std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, mask, bits);
    if (i % 8 == 0) bytes_[i / 8] = 0;
    bytes_[i / 8] = static_cast<std::uint8_t>(bytes_[i / 8] | (bits[0] & ((1U << lanes) - 1)) << (i % 8));
  }
  // `count`: how many numbers had their bits set, from the first on. Later bits are ignored.
  [[nodiscard]] std::size_t take(const Real* x, std::size_t count, Real* inside) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i += 64) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes_ + i / 8, sizeof(word));
      if (count - i < 64) word &= (std::uint64_t{1} << (count - i)) - 1;
      if (inside == nullptr) {
        found += static_cast<std::size_t>(std::popcount(word));
        continue;
      }
      for (; word != 0; word &= word - 1) inside[found++] = x[i + static_cast<std::size_t>(std::countr_zero(word))];
    }
    return found;
  }

 private:
  alignas(64) std::uint8_t bytes_[kBlock / 8 + 64];
};

// Returns the sum of the vector's lanes.
template <class D, class V>
HWY_ATTR std::uint64_t add_lanes(D d, V counts) {
  hn::TFromD<D> lanes[hn::MaxLanes(d)];
  hn::StoreU(counts, d, lanes);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) sum += static_cast<std::uint64_t>(lanes[i]);
  return sum;
}

template <class Real>
HWY_ATTR BlockSplit split(const Real* HWY_RESTRICT x, std::size_t count, Real low, Real high, Real* inside) {
  const Tag<Real> d;
  const hn::RebindToUnsigned<Tag<Real>> du;
  const auto lower = hn::Set(d, low);
  const auto upper = hn::Set(d, high);
  const auto one = hn::Set(du, 1);
  auto below = hn::Zero(du);
  InsideMask<Real> mask;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = count - count % lanes;
  const bool point = low == high;
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto v = hn::LoadU(d, x + i);
    auto is_low = point ? hn::Lt(v, lower) : hn::Le(v, lower);
    const auto is_inside = point ? hn::Eq(v, lower) : hn::AndNot(is_low, hn::Lt(v, upper));
    if (i == whole) is_low = hn::And(is_low, hn::FirstN(d, count - i));
    below = hn::IfThenElse(hn::RebindMask(du, is_low), hn::Add(below, one), below);
    mask.set(i, is_inside);
  }
  return {add_lanes(du, below), mask.take(x, count, inside)};
}

template <class Real>
HWY_ATTR std::size_t collect(const Real* HWY_RESTRICT x, std::size_t count, Real low, Real high, Real* inside) {
  const Tag<Real> d;
  const auto lower = hn::Set(d, low);
  const auto upper = hn::Set(d, high);
  auto any = hn::MaskFromVec(hn::Zero(d));
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, x + i);
    any = hn::Or(any, hn::And(hn::Gt(v, lower), hn::Lt(v, upper)));
  }
  if (hn::AllFalse(d, any)) return 0;
  InsideMask<Real> mask;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, x + i);
    mask.set(i, hn::And(hn::Gt(v, lower), hn::Lt(v, upper)));
  }
  return mask.take(x, count, inside);
}

// Returns the largest Real that isn't above `limit`. Comparing a Real with it is the same as comparing with the limit.
template <class Real>
Real not_above(double limit) {
  auto near = static_cast<Real>(limit);
  if (static_cast<double>(near) > limit) near = std::nextafter(near, -std::numeric_limits<Real>::infinity());
  return near;
}

template <class Real>
HWY_ATTR std::uint64_t count_beyond(const Real* HWY_RESTRICT absolute, const Real* HWY_RESTRICT relative,
                                    std::size_t count, double absolute_tolerance, double relative_tolerance) {
  const Tag<Real> d;
  const auto most_absolute = hn::Set(d, not_above<Real>(absolute_tolerance));
  const auto most_relative = hn::Set(d, not_above<Real>(relative_tolerance));
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = count - count % lanes;
  std::uint64_t near = 0;
  for (std::size_t i = 0; i < count; i += lanes) {
    auto fits =
        hn::Or(hn::Le(hn::LoadU(d, absolute + i), most_absolute), hn::Le(hn::LoadU(d, relative + i), most_relative));
    if (i == whole) fits = hn::And(fits, hn::FirstN(d, count - i));
    near += hn::CountTrue(d, fits);
  }
  return count - near;
}

// Computes all six sums in double.
template <class Real>
HWY_ATTR void measure_sums(const Real* a, const Real* b, const Real* absolute, const Real* relative, std::size_t count,
                           BlockMeasure<Real>& result) {
  const Tag<double> d;
  auto absolutes = hn::Zero(d);
  auto relatives = hn::Zero(d);
  auto firsts = hn::Zero(d);
  auto seconds = hn::Zero(d);
  auto products = hn::Zero(d);
  auto squares = hn::Zero(d);
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = count - count % lanes;
  for (std::size_t i = 0; i < count; i += lanes) {
    auto x = load_wide(a + i);
    auto y = load_wide(b + i);
    auto absolute_error = load_wide(absolute + i);
    auto relative_error = load_wide(relative + i);
    if (i == whole) {
      const auto in = hn::FirstN(d, count - i);
      x = hn::IfThenElseZero(in, x);
      y = hn::IfThenElseZero(in, y);
      absolute_error = hn::IfThenElseZero(in, absolute_error);
      relative_error = hn::IfThenElseZero(in, relative_error);
    }
    // 64-bit integers were rounded on the way here, but their difference is exact.
    const auto difference = std::is_same_v<Real, float> ? hn::Sub(x, y) : absolute_error;
    absolutes = hn::Add(absolutes, absolute_error);
    relatives = hn::Add(relatives, relative_error);
    firsts = hn::MulAdd(x, x, firsts);
    seconds = hn::MulAdd(y, y, seconds);
    products = hn::MulAdd(x, y, products);
    squares = hn::MulAdd(difference, difference, squares);
  }
  result.absolute_sum = hn::GetLane(hn::SumOfLanes(d, absolutes));
  result.relative_sum = hn::GetLane(hn::SumOfLanes(d, relatives));
  result.first_squared = hn::GetLane(hn::SumOfLanes(d, firsts));
  result.second_squared = hn::GetLane(hn::SumOfLanes(d, seconds));
  result.product = hn::GetLane(hn::SumOfLanes(d, products));
  result.difference_squared = hn::GetLane(hn::SumOfLanes(d, squares));
}

template <class Real>
HWY_ATTR BlockMeasure<Real> measure(const Real* a, const Real* b, const Real* absolute, const Real* relative,
                                    std::size_t count, double absolute_tolerance, double relative_tolerance) {
  BlockMeasure<Real> result{};
  measure_sums(a, b, absolute, relative, count, result);
  result.absolute_max = std::max(Real{-1}, find_extremes(absolute, count).max);
  result.relative_max = std::max(Real{-1}, find_extremes(relative, count).max);
  result.first_peak = find_extremes(a, count).max;
  result.beyond = count_beyond(absolute, relative, count, absolute_tolerance, relative_tolerance);
  // These sums are finite if all terms are, and hardly ever otherwise.
  const auto finite = [](double value) { return value - value == 0; };
  result.special = !finite(result.absolute_sum) || !finite(result.relative_sum) || !finite(result.first_squared) ||
                   !finite(result.second_squared);
  return result;
}

HWY_ATTR std::uint32_t largest_ulp_of(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, std::size_t count) {
  const Tag<float> d;
  const hn::RebindToSigned<Tag<float>> di;
  const hn::RebindToUnsigned<Tag<float>> du;
  const auto magnitude = hn::Set(di, 0x7fffffff);
  const auto place = [&](hn::Vec<Tag<float>> v) HWY_ATTR {
    const auto bits = hn::BitCast(di, v);
    const auto sign = hn::ShiftRight<31>(bits);
    return hn::Sub(hn::Xor(hn::And(bits, magnitude), sign), sign);
  };
  auto largest = hn::Zero(du);
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = count - count % lanes;
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto x = hn::LoadU(d, a + i);
    const auto y = hn::LoadU(d, b + i);
    const auto px = place(x);
    const auto py = place(y);
    const auto distance = hn::BitCast(du, hn::Sub(hn::Max(px, py), hn::Min(px, py)));
    auto counts = hn::And(hn::Eq(x, x), hn::Eq(y, y));
    if (i == whole) counts = hn::And(counts, hn::FirstN(d, count - i));
    largest = hn::Max(largest, hn::IfThenElseZero(hn::RebindMask(du, counts), distance));
  }
  return hn::GetLane(hn::MaxOfLanes(du, largest));
}

template <class Real>
constexpr BlockKernels<Real> kKernels = {take_differences<Real>, add_up<Real>, squares_sum<Real>,
                                         find_extremes<Real>,    split<Real>,  collect<Real>,
                                         count_beyond<Real>,     measure<Real>};

const BlockKernels<float>* float_kernels() {
  return &kKernels<float>;
}
const BlockKernels<double>* double_kernels() {
  return &kKernels<double>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay::stats
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::stats {
namespace {

HWY_EXPORT(float_kernels);
HWY_EXPORT(double_kernels);
HWY_EXPORT(largest_ulp_of);

}  // namespace

template <>
const BlockKernels<float>& block_kernels<float>() {
  return *HWY_DYNAMIC_DISPATCH(float_kernels)();
}
template <>
const BlockKernels<double>& block_kernels<double>() {
  return *HWY_DYNAMIC_DISPATCH(double_kernels)();
}

std::uint32_t largest_ulp(const float* a, const float* b, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(largest_ulp_of)(a, b, count);
}

}  // namespace assay::stats
#endif
