// All columns are read together: once for extremes and sums, and once more for what needs the means (the variances).
// The searches for ranks (rank_search.h) close in during the same passes. Sums follow NumPy's order of additions
// (pairwise_sum.h), which depends on the type of number: each pass has one order and does the jobs that need that
// order.
#include "stats/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "stats/order_statistics.h"
#include "stats/pairwise_sum.h"
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

// Sums of one piece of a column. The pass decides which of them are computed.
template <class Real>
struct Sums {
  float values = 0;      // values converted to float
  float magnitudes = 0;  // likewise
  Real real = 0;         // values or squared deviations

  Sums operator+(const Sums& other) const {
    return {values + other.values, magnitudes + other.magnitudes, real + other.real};
  }
};

// Sums still to be computed for a column. order_of() says in which order each is added.
enum Job : unsigned { kMean = 1, kSum = 2, kSquares = 4 };

AddingOrder order_of(Job job, Arithmetic arithmetic) {
  if (job == kSquares) return AddingOrder::halves;
  if (job == kMean) return arithmetic == Arithmetic::float32 ? AddingOrder::halves : AddingOrder::buffered;
  const bool converted = arithmetic == Arithmetic::integer || arithmetic == Arithmetic::boolean;
  return converted ? AddingOrder::buffered : AddingOrder::halves;
}

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
      for (first_ = true; first_ || unfinished(); first_ = false) pass();
    }
    std::vector<Summary> summaries;
    for (std::size_t i = 0; i < states_.size(); ++i) summaries.push_back(finish(i));
    return summaries;
  }

 private:
  struct State {
    Arithmetic arithmetic{};
    unsigned todo = kMean | kSum | kSquares;
    unsigned now = 0;  // done in this pass
    bool has_nan = false;
    Real mean = 0;  // needed for kSquares
    Extremes<Real> extremes;
    Summary summary;
  };
  struct Thread {
    int index = 0;
    ColumnBlocks<Real> columns;
    BlockOf<float> floats;
    std::array<Extremes<Real>, kMostColumns> extremes;
    std::vector<typename RankSearch<Real>::Tally> tallies;
  };
  using Row = std::array<Sums<Real>, kMostColumns>;

  [[nodiscard]] bool searches(std::size_t column) const {
    return !states_[column].has_nan && !searches_[column].done();
  }
  [[nodiscard]] bool unfinished() const {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_[i].todo != 0 || searches(i)) return true;
    }
    return false;
  }

  // Returns the remaining jobs that can be done in this order; kSquares needs the mean from kSum.
  [[nodiscard]] unsigned ready(const State& state, AddingOrder order) const {
    unsigned jobs = 0;
    for (const Job job : {kMean, kSum, kSquares}) {
      if ((state.todo & job) == 0 || (job == kSquares && (state.todo & kSum) != 0)) continue;
      if (order_of(job, state.arithmetic) == order) jobs |= job;
    }
    return jobs;
  }

  void pass();
  Row add(std::uint64_t begin, std::uint64_t count, Thread& thread) const;
  Row add_block(std::uint64_t begin, std::size_t count, Thread& thread) const;
  Sums<Real> sums_of(std::size_t column, const Real* x, std::size_t count, Thread& thread) const;
  void learn(std::vector<std::unique_ptr<Thread>>& threads);
  void learn(State& state, const Sums<Real>& sums);
  Summary finish(std::size_t column) const;

  const Columns<Real>& columns_;
  const VisitBlock<Real>& visit_;
  std::size_t threads_;
  bool first_ = true;
  std::vector<State> states_;
  std::vector<RankSearch<Real>> searches_;
  const BlockKernels<Real>& kernels_ = block_kernels<Real>();
  const BlockKernels<float>& float_kernels_ = block_kernels<float>();
};

template <class Real>
void Summarizer<Real>::pass() {
  const bool buffered =
      std::ranges::any_of(states_, [&](const State& state) { return ready(state, AddingOrder::buffered) != 0; });
  const AddingOrder order = buffered ? AddingOrder::buffered : AddingOrder::halves;
  for (State& state : states_) state.now = ready(state, order);
  std::vector<std::unique_ptr<Thread>> threads;
  for (std::size_t i = 0; i < threads_; ++i) {
    threads.push_back(std::make_unique<Thread>());
    threads.back()->index = static_cast<int>(i);
    for (const RankSearch<Real>& search : searches_) threads.back()->tallies.emplace_back(search);
  }
  const std::vector<Piece> pieces = pieces_of(order, columns_.size());
  std::vector<Row> rows(pieces.size());
  for_each_piece(pieces.size(), static_cast<int>(threads_), [&](int thread, std::size_t i) {
    rows[i] = add(pieces[i].begin, pieces[i].count, *threads[static_cast<std::size_t>(thread)]);
  });
  learn(threads);
  for (std::size_t column = 0; column < states_.size(); ++column) {
    if (states_[column].now == 0) continue;
    auto row = rows.begin();
    const auto next = [&] { return (*row++)[column]; };
    learn(states_[column], add_pieces<Sums<Real>>(order, columns_.size(), rows.size(), next));
  }
}

template <class Real>
typename Summarizer<Real>::Row Summarizer<Real>::add(std::uint64_t begin, std::uint64_t count, Thread& thread) const {
  if (count <= kScanned) return add_block(begin, static_cast<std::size_t>(count), thread);
  const std::uint64_t half = first_half(count);
  Row left = add(begin, half, thread);
  const Row right = add(begin + half, count - half, thread);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = left[i] + right[i];
  return left;
}

template <class Real>
typename Summarizer<Real>::Row Summarizer<Real>::add_block(std::uint64_t begin, std::size_t count,
                                                           Thread& thread) const {
  Row row;
  columns_.read(begin, count, thread.columns.at.data());
  if (first_ && visit_) visit_(thread.index, begin, count, thread.columns.at.data());
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Real* x = thread.columns.at[i];
    if (states_[i].now != 0) row[i] = sums_of(i, x, count, thread);
    if (first_) thread.extremes[i].add(x, begin, count, kernels_);
    if (searches(i)) thread.tallies[i].add(x, count, kernels_);
  }
  return row;
}

template <class Real>
Sums<Real> Summarizer<Real>::sums_of(std::size_t column, const Real* x, std::size_t count, Thread& thread) const {
  const State& state = states_[column];
  Sums<Real> sums;
  if ((state.now & kMean) != 0) {
    const float* floats = nullptr;
    if constexpr (std::is_same_v<Real, float>) {
      floats = x;
    } else {
      std::transform(x, x + count, thread.floats.values, [](Real value) { return static_cast<float>(value); });
      floats = thread.floats.values;
    }
    sums.values = float_kernels_.sum(floats, count);
    sums.magnitudes = columns_.never_negative(column) ? sums.values : float_kernels_.magnitude_sum(floats, count);
  }
  if ((state.now & kSum) != 0) {
    const bool again = std::is_same_v<Real, float> && (state.now & kMean) != 0;
    sums.real = again ? static_cast<Real>(sums.values) : kernels_.sum(x, count);
  }
  if ((state.now & kSquares) != 0) sums.real = kernels_.squares_sum(x, count, state.mean);
  return sums;
}

// Merges the threads' extremes and rank searches.
template <class Real>
void Summarizer<Real>::learn(std::vector<std::unique_ptr<Thread>>& threads) {
  for (std::size_t column = 0; column < states_.size(); ++column) {
    State& state = states_[column];
    const bool searched = searches(column);
    for (auto& thread : threads) {
      if (first_) state.extremes.add(thread->extremes[column]);
    }
    if (state.extremes.nan_at != kNowhere) {
      state.has_nan = true;
      state.todo = state.now = 0;
      continue;
    }
    if (!searched) continue;
    std::vector<typename RankSearch<Real>::Tally> tallies;
    for (auto& thread : threads) tallies.push_back(std::move(thread->tallies[column]));
    searches_[column].learn(tallies);
  }
}

template <class Real>
void Summarizer<Real>::learn(State& state, const Sums<Real>& sums) {
  const auto count = static_cast<double>(columns_.size());
  if ((state.now & kMean) != 0) {
    state.summary.mean = static_cast<float>(static_cast<double>(sums.values) / count);
    state.summary.mean_magnitude = static_cast<float>(static_cast<double>(sums.magnitudes) / count);
  }
  if ((state.now & kSum) != 0) state.mean = static_cast<Real>(static_cast<double>(sums.real) / count);
  if ((state.now & kSquares) != 0) {
    state.summary.variance = static_cast<Real>(static_cast<double>(sums.real) / count);
    state.summary.std_dev = std::sqrt(static_cast<Real>(state.summary.variance));
  }
  state.todo &= ~state.now;
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

std::string format_number(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{:.5g}", value);  // the sign of a NaN means nothing
}

tensor::Shape position_of(std::uint64_t position, const tensor::Shape& shape) {
  tensor::Shape indices(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(shape[axis]);
    indices[axis] = static_cast<std::int64_t>(extent == 0 ? 0 : position % extent);
    if (extent != 0) position /= extent;
  }
  return indices;
}

std::string format_position(std::uint64_t position, const tensor::Shape& shape) {
  return tensor::format_shape(position_of(position, shape));
}

std::string describe(const Summary& summary, const tensor::Shape& shape) {
  if (summary.count == 0) return "no elements";
  std::string text = fmt::format(
      "mean={}, std-dev={}, var={}, median={}, min={} at {}, max={} at {}, avg-magnitude={}",
      format_number(summary.mean), format_number(summary.std_dev), format_number(summary.variance),
      format_number(summary.median), format_number(summary.min), format_position(summary.min_at, shape),
      format_number(summary.max), format_position(summary.max_at, shape), format_number(summary.mean_magnitude));
  if (summary.has_percentiles) {
    text += fmt::format(", p90={}, p95={}, p99={}", format_number(summary.p90), format_number(summary.p95),
                        format_number(summary.p99));
  }
  return text;
}

}  // namespace assay::stats
