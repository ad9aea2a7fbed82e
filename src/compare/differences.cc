#include "compare/differences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "compare/read_block.h"

namespace assay::compare {
namespace {

using tensor::ElementType;
using tensor::Tensor;

bool is_wide(ElementType type) {
  return type == ElementType::int64 || type == ElementType::uint64;
}

}  // namespace

bool fits_in_float(ElementType first, ElementType second) {
  const auto fits = [](ElementType type) {
    return (is_floating(type) && fits_float(type)) || type == ElementType::boolean;
  };
  return fits(first) && fits(second) && (is_floating(first) || is_floating(second));
}

bool surely_equal(const Tensor& first, const Tensor& second) {
  if (first.type() != second.type() || !is_floating(first.type()) || first.size() != second.size()) return false;
  const auto a = first.bytes();
  const auto b = second.bytes();
  if (a.size() != b.size() || std::memcmp(a.data(), b.data(), a.size()) != 0) return false;
  std::array<double, kBlock> block;
  for (std::uint64_t begin = 0; begin < first.size(); begin += kBlock) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, first.size() - begin));
    read_block(first, begin, count, block.data());
    // Of a finite number x, x - x is 0; of the others it is NaN, and so is then the sum.
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += block[i] - block[i];
    if (sum != 0) return false;
  }
  return true;
}

template <class Real>
Differences<Real>::Differences(const Tensor& first, const Tensor& second, bool infinities_equal)
    : first_(first),
      second_(second),
      infinities_equal_(infinities_equal),
      wide_((is_wide(first.type()) || is_wide(second.type())) && !is_floating(first.type()) &&
            !is_floating(second.type())),
      floating_divisor_(is_floating(second.type())) {
  if (first.type() == ElementType::boolean && second.type() == ElementType::boolean) {
    absolute_arithmetic_ = Arithmetic::boolean;
  } else if (!is_floating(first.type()) && !is_floating(second.type())) {
    absolute_arithmetic_ = Arithmetic::integer;
  } else {
    absolute_arithmetic_ = relative_arithmetic();
  }
}

template <class Real>
void Differences<Real>::read(std::uint64_t begin, std::size_t count, Real* absolute, Real* relative) const {
  std::array<Real, kBlock> a;
  std::array<Real, kBlock> b;
  read_block(first_, begin, count, a.data());
  read_block(second_, begin, count, b.data());
  for (std::size_t i = 0; i < count; ++i) absolute[i] = std::abs(a[i] - b[i]);
  if (wide_) {
    std::array<__int128, kBlock> wide_a;
    std::array<__int128, kBlock> wide_b;
    read_block(first_, begin, count, wide_a.data());
    read_block(second_, begin, count, wide_b.data());
    for (std::size_t i = 0; i < count; ++i) {
      const __int128 difference = wide_a[i] - wide_b[i];
      absolute[i] = static_cast<Real>(difference < 0 ? -difference : difference);
    }
  } else if (infinities_equal_) {
    for (std::size_t i = 0; i < count; ++i) {
      if (std::isinf(a[i]) && a[i] == b[i]) absolute[i] = 0;
    }
  }
  if (relative == nullptr) return;
  if (floating_divisor_) {
    constexpr auto kUnit = static_cast<Real>(std::numeric_limits<double>::epsilon());
    for (std::size_t i = 0; i < count; ++i) relative[i] = absolute[i] / (b[i] == 0 ? kUnit : std::abs(b[i]));
  } else {
    for (std::size_t i = 0; i < count; ++i) relative[i] = absolute[i] / std::abs(b[i]);
  }
}

template <class Real>
void RelativeSeries<Real>::read(std::uint64_t begin, std::size_t count, Real* out) const {
  std::array<Real, kBlock> absolute;
  differences_.read(begin, count, absolute.data(), out);
}

template class Differences<float>;
template class Differences<double>;
template class RelativeSeries<float>;
template class RelativeSeries<double>;

}  // namespace assay::compare
