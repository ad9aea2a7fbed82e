// One pass over columns, block by block, on all processors.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "stats/block_kernels.h"
#include "stats/columns.h"
#include "stats/parallel.h"

namespace assay::stats {

// Numbers of each column that are read at a time: four columns plus prefetched data fit into the first-level cache.
inline constexpr std::size_t kScanned = 512;
static_assert(kScanned <= kBlock);

// Numbers of each column that one thread reads in one go.
inline constexpr std::uint64_t kPiece = 32 * kBlock;
template <class Real>
std::size_t pieces_of(const Columns<Real>& columns) {
  return static_cast<std::size_t>((columns.size() + kPiece - 1) / kPiece);
}

// A block of each column. Allocate it on the heap: it is too large for the stack of a thread deep in a recursion.
template <class Real>
struct ColumnBlocks {
  std::array<BlockOf<Real>, kMostColumns> blocks;
  std::array<Real*, kMostColumns> at;

  ColumnBlocks() {
    for (std::size_t i = 0; i < kMostColumns; ++i) at[i] = blocks[i].values;
  }
  ColumnBlocks(const ColumnBlocks&) = delete;
};

// Calls visit(thread, begin, count, Real* const* blocks) for each block; each thread sees its blocks in rising order. A
// block lies within piece begin / kPiece, and one thread visits a whole piece.
template <class Real, class Visit>
void scan_columns(const Columns<Real>& columns, int threads, const Visit& visit) {
  std::vector<std::unique_ptr<ColumnBlocks<Real>>> scratch(static_cast<std::size_t>(threads));
  for (auto& blocks : scratch) blocks = std::make_unique<ColumnBlocks<Real>>();
  for_each_piece(pieces_of(columns), threads, [&](int thread, std::size_t piece) {
    ColumnBlocks<Real>& blocks = *scratch[static_cast<std::size_t>(thread)];
    const std::uint64_t end = std::min(columns.size(), (piece + 1) * kPiece);
    for (std::uint64_t begin = piece * kPiece; begin < end; begin += kScanned) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kScanned, end - begin));
      columns.read(begin, count, blocks.at.data());
      visit(thread, begin, count, blocks.at.data());
    }
  });
}

}  // namespace assay::stats
