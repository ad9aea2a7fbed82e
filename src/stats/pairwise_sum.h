// The order in which NumPy adds the numbers of an array, for arrays that several processors add in pieces. With the
// same operands and the same rounding, a mean or a variance agrees with NumPy's (and Polygraphy's) in every digit, even
// if the digits are nothing but rounding errors.
//
// Source: NumPy, numpy/_core/src/umath/loops_utils.h.src (pairwise summation: halves down to blocks of 128, which are
// added in eight lanes), and its buffering: an array that must be converted first is added in pieces of 8192.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::stats {

inline constexpr std::size_t kPairwiseBlock = 128;

// Returns the size of the first half of an array of more than kPairwiseBlock numbers.
inline constexpr std::uint64_t first_half(std::uint64_t count) {
  return count / 2 - (count / 2) % 8;
}

enum class AddingOrder {
  halves,    // an array that needs no conversion: halves of halves
  buffered,  // an array that is converted: buffers one after another, each in halves
};

struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

inline constexpr std::uint64_t kBuffer = 8192;
inline constexpr std::uint64_t kLargestPiece = 1 << 16;

// Returns the pieces to add separately, in the order in which add_pieces() expects their sums.
inline std::vector<Piece> pieces_of(AddingOrder order, std::uint64_t count) {
  std::vector<Piece> pieces;
  if (order == AddingOrder::buffered) {
    for (std::uint64_t begin = 0; begin < count; begin += kBuffer) {
      pieces.push_back({begin, std::min(kBuffer, count - begin)});
    }
    return pieces;
  }
  std::vector<Piece> todo = {{0, count}};  // still to be halved, the first piece on top
  while (!todo.empty()) {
    const Piece piece = todo.back();
    todo.pop_back();
    if (piece.count <= kLargestPiece) {
      pieces.push_back(piece);
      continue;
    }
    const std::uint64_t half = first_half(piece.count);
    todo.push_back({piece.begin + half, piece.count - half});
    todo.push_back({piece.begin, half});
  }
  return pieces;
}

template <class Real, class Next>
Real add_halves(std::uint64_t count, const Next& next) {
  if (count <= kLargestPiece) return next();
  const std::uint64_t half = first_half(count);
  const Real left = add_halves<Real>(half, next);
  return left + add_halves<Real>(count - half, next);
}

// Returns the total of the pieces' sums, which next() returns one after another.
template <class Real, class Next>
Real add_pieces(AddingOrder order, std::uint64_t count, std::size_t pieces, const Next& next) {
  if (order == AddingOrder::halves) return add_halves<Real>(count, next);
  Real sum{};
  for (std::size_t i = 0; i < pieces; ++i) sum = sum + next();
  return sum;
}

}  // namespace assay::stats
