// All columns are read together: once for extremes and sums, and once more for the variances, which need the means.
// The searches for ranks (rank_search.h) close in during the same passes. Each piece of the columns is summed
// separately, and the pieces' sums are added in their order, so the result doesn't depend on which thread took which.
#include "stats/summary.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "stats/order_statistics.h"
#include "stats/read_block.h"
#include "stats/scan.h"

namespace assay::stats {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();
constexpr std::array kPercentiles = {0.90, 0.95, 0.99};

template <class Real>
bool has_nan(const Series<Real>& series) {
  const BlockKernels<Real>& kernels = block_kernels<Real>();
  std::atomic<bool> found = false;
  const auto visit = [&](int, std::uint64_t, std::size_t count, Real* const* blocks) {
    if (kernels.extremes(blocks[0], count).has_nan) found = true;
  };
  scan_columns<Real>(OneColumn<Real>(series), threads_for(series.size(), 0), visit);
  return found;
}

// Returns the ranks needed for the median, p90, p95 and p99.
std::vector<std::uint64_t> ranks_of(std::uint64_t count) {
  std::vector<std::uint64_t> ranks = {(count - 1) / 2, count / 2};
  for (const double fraction : kPercentiles) {
    const QuantilePlace place = quantile_place(count, fraction);
    ranks.insert(ranks.end(), {place.low, place.high});
  }
  return ranks;
}

template <class Real>
void set_quantiles(const std::vector<Real>& values, Arithmetic arithmetic, Summary& summary) {
  summary.median = median_of(summary.count, values[0], values[1], arithmetic);
  if (!summary.has_percentiles) return;
  const std::array<double*, 3> percentiles = {&summary.p90, &summary.p95, &summary.p99};
  for (std::size_t i = 0; i < percentiles.size(); ++i) {
    const double weight = quantile_place(summary.count, kPercentiles[i]).weight;
    *percentiles[i] = interpolate(values[2 + 2 * i], values[3 + 2 * i], weight, arithmetic);
  }
}

Summary all_nan(std::uint64_t count, std::uint64_t position) {
  return {count, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, position, position, true};
}

// One thread's extremes of a column. Blocks must be added in rising order.
template <class Real>
struct Extremes {
  Real min = std::numeric_limits<Real>::infinity();
  Real max = -std::numeric_limits<Real>::infinity();
  std::uint64_t min_at = kNowhere;
  std::uint64_t max_at = kNowhere;
  std::uint64_t nan_at = kNowhere;

  void add(const Real* x, std::uint64_t begin, std::size_t count, const BlockKernels<Real>& kernels) {
    if (nan_at != kNowhere) return;
    const BlockExtremes<Real> block = kernels.extremes(x, count);
    if (block.has_nan) {
      nan_at = begin + static_cast<std::uint64_t>(std::find_if(x, x + count, [](Real v) { return std::isnan(v); }) - x);
      return;
    }
    if (min_at == kNowhere || block.min < min) {
      const Real* at = std::find(x, x + count, block.min);
      min = *at, min_at = begin + static_cast<std::uint64_t>(at - x);
    }
    if (max_at == kNowhere || block.max > max) {
      const Real* at = std::find(x, x + count, block.max);
      max = *at, max_at = begin + static_cast<std::uint64_t>(at - x);
    }
  }
  void add(const Extremes& other) {
    if (other.min < min || (other.min == min && other.min_at < min_at)) min = other.min, min_at = other.min_at;
    if (other.max > max || (other.max == max && other.max_at < max_at)) max = other.max, max_at = other.max_at;
    nan_at = std::min(nan_at, other.nan_at);
  }
};

// Sums over one piece of a column. The second pass adds the squares, which need the mean.
struct Sums {
  double values = 0;
  double magnitudes = 0;
  double squares = 0;  // of the deviations from the mean

  void add(const Sums& other) {
    values += other.values;
    magnitudes += other.magnitudes;
    squares += other.squares;
  }
};

template <class Real>
class Summarizer {
 public:
  Summarizer(const Columns<Real>& columns, std::span<const Arithmetic> arithmetics, int threads,
             const VisitBlock<Real>& visit)
      : columns_(columns),
        visit_(visit),
        threads_(static_cast<std::size_t>(threads_for(columns.size(), threads))),
        states_(columns.count()) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      states_[i].arithmetic = arithmetics[i];
      states_[i].summary.count = columns.size();
      states_[i].summary.has_percentiles = arithmetics[i] != Arithmetic::boolean;
    }
  }

  std::vector<Summary> run() {
    if (columns_.size() != 0) {
      searches_ = begin_searches<Real>(columns_, ranks_of(columns_.size()), static_cast<int>(threads_));
      for (pass_ = 1; pass_ <= 2 || searching(); ++pass_) scan();
    }
    std::vector<Summary> summaries;
    for (std::size_t i = 0; i < states_.size(); ++i) summaries.push_back(finish(i));
    return summaries;
  }

 private:
  struct State {
    Arithmetic arithmetic{};
    bool has_nan = false;
    Extremes<Real> extremes;
    Summary summary;
  };
  // The findings of one thread.
  struct Found {
    std::array<Extremes<Real>, kMostColumns> extremes;
    std::vector<typename RankSearch<Real>::Tally> tallies;
  };
  using Row = std::array<Sums, kMostColumns>;

  [[nodiscard]] bool searches(std::size_t column) const {
    return !states_[column].has_nan && !searches_[column].done();
  }
  [[nodiscard]] bool searching() const {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (searches(i)) return true;
    }
    return false;
  }

  void scan();
  void add_block(const Real* const* blocks, std::uint64_t begin, std::size_t count, Row& row, Found& found) const;
  void learn(std::vector<Found>& threads);
  void learn(const std::vector<Row>& rows);
  Summary finish(std::size_t column) const;

  const Columns<Real>& columns_;
  const VisitBlock<Real>& visit_;
  std::size_t threads_;
  int pass_ = 1;
  std::vector<State> states_;
  std::vector<RankSearch<Real>> searches_;
  const BlockKernels<Real>& kernels_ = block_kernels<Real>();
};

template <class Real>
void Summarizer<Real>::scan() {
  std::vector<Found> threads(threads_);
  for (Found& found : threads) {
    for (const RankSearch<Real>& search : searches_) found.tallies.emplace_back(search);
  }
  std::vector<Row> rows(pieces_of(columns_));
  scan_columns<Real>(columns_, static_cast<int>(threads_),
                     [&](int thread, std::uint64_t begin, std::size_t count, Real* const* blocks) {
                       if (pass_ == 1 && visit_) visit_(thread, begin, count, blocks);
                       add_block(blocks, begin, count, rows[begin / kPiece], threads[static_cast<std::size_t>(thread)]);
                     });
  learn(threads);
  learn(rows);
}

template <class Real>
void Summarizer<Real>::add_block(const Real* const* blocks, std::uint64_t begin, std::size_t count, Row& row,
                                 Found& found) const {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].has_nan) continue;
    const Real* x = blocks[i];
    if (pass_ == 1) {
      const BlockSums sums = kernels_.sums(x, count);
      row[i].add({sums.values, sums.magnitudes, 0});
      found.extremes[i].add(x, begin, count, kernels_);
    } else if (pass_ == 2) {
      row[i].squares += kernels_.squares_sum(x, count, states_[i].summary.mean);
    }
    if (searches(i)) found.tallies[i].add(x, count, kernels_);
  }
}

// Merges the threads' extremes and rank searches.
template <class Real>
void Summarizer<Real>::learn(std::vector<Found>& threads) {
  for (std::size_t column = 0; column < states_.size(); ++column) {
    State& state = states_[column];
    const bool searched = searches(column);
    for (const Found& found : threads) {
      if (pass_ == 1) state.extremes.add(found.extremes[column]);
    }
    state.has_nan = state.extremes.nan_at != kNowhere;
    if (state.has_nan || !searched) continue;
    std::vector<typename RankSearch<Real>::Tally> tallies;
    for (Found& found : threads) tallies.push_back(std::move(found.tallies[column]));
    searches_[column].learn(tallies);
  }
}

template <class Real>
void Summarizer<Real>::learn(const std::vector<Row>& rows) {
  const auto count = static_cast<double>(columns_.size());
  for (std::size_t column = 0; column < states_.size() && pass_ <= 2; ++column) {
    Sums sums;
    for (const Row& row : rows) sums.add(row[column]);
    Summary& summary = states_[column].summary;
    if (pass_ == 1) {
      summary.mean = sums.values / count;
      summary.mean_magnitude = sums.magnitudes / count;
    } else {
      summary.variance = sums.squares / count;
      summary.std_dev = std::sqrt(summary.variance);
    }
  }
}

template <class Real>
Summary Summarizer<Real>::finish(std::size_t column) const {
  const State& state = states_[column];
  if (columns_.size() == 0) return state.summary;
  if (state.has_nan) return all_nan(columns_.size(), state.extremes.nan_at);
  Summary summary = state.summary;
  summary.min = state.extremes.min;
  summary.max = state.extremes.max;
  summary.min_at = state.extremes.min_at;
  summary.max_at = state.extremes.max_at;
  set_quantiles(searches_[column].found(), state.arithmetic, summary);
  return summary;
}

}  // namespace

template <>
void TensorSeries<float>::read(std::uint64_t begin, std::size_t count, float* out) const {
  read_block(tensor_, begin, count, out);
}
template <>
void TensorSeries<double>::read(std::uint64_t begin, std::size_t count, double* out) const {
  read_block(tensor_, begin, count, out);
}

template <class Real>
std::vector<Summary> summarize(const Columns<Real>& columns, std::span<const Arithmetic> arithmetics, int threads,
                               const VisitBlock<Real>& visit) {
  return Summarizer<Real>(columns, arithmetics, threads, visit).run();
}

template std::vector<Summary> summarize(const Columns<float>&, std::span<const Arithmetic>, int,
                                        const VisitBlock<float>&);
template std::vector<Summary> summarize(const Columns<double>&, std::span<const Arithmetic>, int,
                                        const VisitBlock<double>&);

Summary summarize(const tensor::Tensor& tensor) {
  const Arithmetic arithmetic = arithmetic_of(tensor.type());
  if (arithmetic == Arithmetic::float16 || arithmetic == Arithmetic::float32) {
    return summarize<float>(TensorSeries<float>(tensor), arithmetic);
  }
  return summarize<double>(TensorSeries<double>(tensor), arithmetic);
}

template <class Real>
double quantile(const Series<Real>& series, Arithmetic arithmetic, double fraction) {
  if (series.size() == 0 || has_nan(series)) return kNaN;
  const QuantilePlace place = quantile_place(series.size(), fraction);
  const std::array<std::uint64_t, 2> ranks = {place.low, place.high};
  const std::vector<Real> values = values_at_ranks<Real>(series, ranks);
  return interpolate(values[0], values[1], place.weight, arithmetic);
}

template double quantile(const Series<float>&, Arithmetic, double);
template double quantile(const Series<double>&, Arithmetic, double);

}  // namespace assay::stats
