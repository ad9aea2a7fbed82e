#include "stats/order_statistics.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "stats/scan.h"

namespace assay::stats {
namespace {

constexpr std::uint64_t kSampled = 1 << 15;  // smaller columns aren't sampled
constexpr std::uint64_t kSample = 1 << 18;

// A fixed sequence, so that runs are repeatable. Source: S. Vigna, splitmix64.
std::uint64_t random_number(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

template <class Real>
std::vector<std::vector<Real>> take_samples(const Columns<Real>& columns, int threads) {
  const std::uint64_t size = std::min(kSample, columns.size() / 32);
  std::vector<std::vector<Real>> samples(columns.count(), std::vector<Real>(size));
  constexpr std::uint64_t kPiece = 4096;
  for_each_piece((size + kPiece - 1) / kPiece, threads, [&](int, std::size_t piece) {
    const auto blocks = std::make_unique<ColumnBlocks<Real>>();
    for (std::uint64_t i = piece * kPiece; i < std::min(size, (piece + 1) * kPiece); ++i) {
      columns.read(random_number(i) % columns.size(), 1, blocks->at.data());
      for (std::size_t column = 0; column < columns.count(); ++column) samples[column][i] = blocks->at[column][0];
    }
  });
  return samples;
}

}  // namespace

template <class Real>
std::vector<RankSearch<Real>> begin_searches(const Columns<Real>& columns, std::span<const std::uint64_t> ranks,
                                             int threads) {
  std::vector<std::vector<Real>> samples(columns.count());
  if (columns.size() > kSampled) samples = take_samples(columns, threads);
  std::vector<std::optional<RankSearch<Real>>> searches(columns.count());
  for_each_piece(columns.count(), threads, [&](int, std::size_t column) {
    searches[column].emplace(columns.size(), ranks, std::move(samples[column]));
  });
  std::vector<RankSearch<Real>> result;
  for (auto& search : searches) result.push_back(*std::move(search));
  return result;
}

template <class Real>
std::vector<Real> values_at_ranks(const Series<Real>& series, std::span<const std::uint64_t> ranks) {
  const OneColumn<Real> columns(series);
  const int threads = threads_for(series.size(), 0);
  RankSearch<Real> search = std::move(begin_searches<Real>(columns, ranks, threads).front());
  const BlockKernels<Real>& kernels = block_kernels<Real>();
  while (!search.done()) {
    std::vector<typename RankSearch<Real>::Tally> tallies(static_cast<std::size_t>(threads),
                                                          typename RankSearch<Real>::Tally(search));
    scan_columns(columns, threads, [&](int thread, std::uint64_t, std::size_t count, Real* const* blocks) {
      tallies[static_cast<std::size_t>(thread)].add(blocks[0], count, kernels);
    });
    search.learn(tallies);
  }
  return search.found();
}

template std::vector<RankSearch<float>> begin_searches(const Columns<float>&, std::span<const std::uint64_t>, int);
template std::vector<RankSearch<double>> begin_searches(const Columns<double>&, std::span<const std::uint64_t>, int);
template std::vector<float> values_at_ranks(const Series<float>&, std::span<const std::uint64_t>);
template std::vector<double> values_at_ranks(const Series<double>&, std::span<const std::uint64_t>);

}  // namespace assay::stats
