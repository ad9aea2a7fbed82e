// In which order NumPy adds the numbers of an array, for arrays that are added in pieces on several processors: same
// operands, same rounding, so that a mean or a variance agrees with NumPy's (and the peer's) in every digit, also where
// the digits are nothing but rounding errors.
//
// Source: NumPy, numpy/_core/src/umath/loops_utils.h.src (pairwise summation: halves down to blocks of 128, which are
// added in eight lanes), and its buffering: an array that has to be converted on the way is added in pieces of 8192.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::stats {

inline constexpr std::size_t kPairwiseBlock = 128;

// Where an array of more than kPairwiseBlock numbers is halved.
inline constexpr std::uint64_t first_half(std::uint64_t count) {
  return count / 2 - (count / 2) % 8;
}

enum class AddingOrder {
  halves,    // an array as it is: halves of halves
  buffered,  // one that is converted on the way: pieces, one after another, each in halves
};

struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

inline constexpr std::uint64_t kBuffer = 8192;
inline constexpr std::uint64_t kLargestPiece = 1 << 16;

// What to add by itself, in their order.
inline std::vector<Piece> pieces_of(AddingOrder order, std::uint64_t count) {
  std::vector<Piece> pieces;
  if (order == AddingOrder::buffered) {
    for (std::uint64_t begin = 0; begin < count; begin += kBuffer) {
      pieces.push_back({begin, std::min(kBuffer, count - begin)});
    }
    return pieces;
  }
  std::vector<Piece> todo = {{0, count}};  // what is still to be halved, the first on top
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

// The sum of all, from those of the pieces: next() gives one after another.
template <class Real, class Next>
Real add_pieces(AddingOrder order, std::uint64_t count, std::size_t pieces, const Next& next) {
  if (order == AddingOrder::halves) return add_halves<Real>(count, next);
  Real sum{};
  for (std::size_t i = 0; i < pieces; ++i) sum = sum + next();
  return sum;
}

}  // namespace assay::stats
