#include "stats/differences.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>

#include "stats/read_block.h"
#include "stats/scan.h"

namespace assay::stats {
namespace {

using tensor::ElementType;
using tensor::Tensor;

template <class Real>
bool all_finite(const Tensor& tensor) {
  const TensorSeries<Real> series(tensor);
  const OneColumn<Real> column(series);
  const BlockKernels<Real>& kernels = block_kernels<Real>();
  std::atomic<bool> finite = true;
  scan_columns(column, threads_for(tensor.size(), 0), [&](int, std::uint64_t, std::size_t count, Real* const* blocks) {
    const BlockExtremes<Real> extremes = kernels.extremes(blocks[0], count);
    if (extremes.has_nan || std::isinf(extremes.min) || std::isinf(extremes.max)) finite = false;
  });
  return finite;
}

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
  if (a.size() != b.size()) return false;
  if (!a.empty() && std::memcmp(a.data(), b.data(), a.size()) != 0) return false;
  return fits_in_float(first.type(), first.type()) ? all_finite<float>(first) : all_finite<double>(first);
}

template <class Real>
Differences<Real>::Differences(const Tensor& first, const Tensor& second, EqualSpecials equal)
    : first_(first),
      second_(second),
      equal_(equal),
      wide_((is_wide(first.type()) || is_wide(second.type())) && !is_floating(first.type()) &&
            !is_floating(second.type())),
      floating_divisor_(is_floating(second.type())),
      kernels_(block_kernels<Real>()) {
  if (first.type() == ElementType::boolean && second.type() == ElementType::boolean) {
    absolute_arithmetic_ = Arithmetic::boolean;
  } else if (!is_floating(first.type()) && !is_floating(second.type())) {
    absolute_arithmetic_ = Arithmetic::integer;
  } else {
    absolute_arithmetic_ = relative_arithmetic();
  }
}

template <class Real>
void Differences<Real>::read(std::uint64_t begin, std::size_t count, Real* first, Real* second, Real* absolute,
                             Real* relative) const {
  read_block(first_, begin, count, first);
  read_block(second_, begin, count, second);
  kernels_.differences(first, second, count, {equal_, floating_divisor_}, absolute, relative);
  if (!wide_) return;
  std::array<__int128, kBlock> a;
  std::array<__int128, kBlock> b;
  read_block(first_, begin, count, a.data());
  read_block(second_, begin, count, b.data());
  for (std::size_t i = 0; i < count; ++i) {
    const __int128 difference = a[i] - b[i];
    absolute[i] = static_cast<Real>(difference < 0 ? -difference : difference);
    relative[i] = absolute[i] / std::abs(second[i]);
  }
}

template <class Real>
void AbsoluteSeries<Real>::read(std::uint64_t begin, std::size_t count, Real* out) const {
  BlockOf<Real> first, second, absolute, relative;
  differences_.read(begin, count, first.values, second.values, absolute.values, relative.values);
  std::copy_n(absolute.values, count, out);
}

template <class Real>
void RelativeSeries<Real>::read(std::uint64_t begin, std::size_t count, Real* out) const {
  BlockOf<Real> first, second, absolute, relative;
  differences_.read(begin, count, first.values, second.values, absolute.values, relative.values);
  std::copy_n(relative.values, count, out);
}

template <class Real>
void DifferenceColumns<Real>::read(std::uint64_t begin, std::size_t count, Real* const* out) const {
  BlockOf<Real> first, second;
  differences_.read(begin, count, first.values, second.values, out[0], out[1]);
}

template class Differences<float>;
template class Differences<double>;
template class AbsoluteSeries<float>;
template class AbsoluteSeries<double>;
template class DifferenceColumns<float>;
template class DifferenceColumns<double>;
template class RelativeSeries<float>;
template class RelativeSeries<double>;

}  // namespace assay::stats
