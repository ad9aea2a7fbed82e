// Sums in the order in which NumPy adds: same operands, same rounding, so that a mean or a variance agrees with NumPy's
// (and the peer's) in every digit, also where the digits are nothing but rounding errors.
//
// Source: NumPy, numpy/_core/src/umath/loops_utils.h.src (pairwise summation: halves down to blocks of 128, which are
// added in eight lanes), and its buffering: an array that has to be converted on the way is added in pieces of 8192.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::compare {

inline constexpr std::size_t kPairwiseBlock = 128;

template <class Real>
Real sum_block(const Real* values, std::size_t count) {
  if (count < 8) {
    Real sum = static_cast<Real>(-0.0);
    for (std::size_t i = 0; i < count; ++i) sum += values[i];
    return sum;
  }
  std::array<Real, 8> lanes;
  std::copy_n(values, 8, lanes.begin());
  std::size_t i = 8;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += values[i + lane];
  }
  Real sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  for (; i < count; ++i) sum += values[i];
  return sum;
}

// read(begin, count, Real* out) gives the values, at most kPairwiseBlock at a time, in rising order.
template <class Real, class Read>
Real pairwise_sum(const Read& read, std::uint64_t begin, std::uint64_t count) {
  if (count <= kPairwiseBlock) {
    std::array<Real, kPairwiseBlock> block;
    read(begin, static_cast<std::size_t>(count), block.data());
    return sum_block(block.data(), static_cast<std::size_t>(count));
  }
  const std::uint64_t half = count / 2 - (count / 2) % 8;
  const Real left = pairwise_sum<Real>(read, begin, half);
  return left + pairwise_sum<Real>(read, begin + half, count - half);
}

// The sum of an array that NumPy converts to Real first.
template <class Real, class Read>
Real converted_sum(const Read& read, std::uint64_t count) {
  constexpr std::uint64_t kPiece = 8192;
  Real sum = 0;
  for (std::uint64_t begin = 0; begin < count; begin += kPiece) {
    sum += pairwise_sum<Real>(read, begin, std::min(kPiece, count - begin));
  }
  return sum;
}

}  // namespace assay::compare
