// A pass over two large tensors is limited by memory bandwidth, so each pass computes as much as possible. If NumPy
// would hold the tensors and their differences in the same type, all four columns are summarised together; otherwise
// each tensor is summarised separately, in its own type. Tensors with equal bytes skip the passes over differences.
#include "compare/pair_facts.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "stats/histogram.h"
#include "stats/scan.h"

namespace assay::compare {
namespace {

// Returns true if summarize(tensor) computes in Real.
template <class Real>
bool summarized_in(const tensor::Tensor& tensor) {
  const stats::Arithmetic arithmetic = stats::arithmetic_of(tensor.type());
  const bool in_float = arithmetic == stats::Arithmetic::float16 || arithmetic == stats::Arithmetic::float32;
  return in_float == std::is_same_v<Real, float>;
}

bool has_finite_extremes(const stats::Summary& summary) {
  return std::isfinite(summary.min) && std::isfinite(summary.max);
}

// Returns true if an element is worse than the worst so far: its error is larger, or equal and earlier. NaN is the
// worst.
bool worse(double error, std::uint64_t at, const WrongElements& than) {
  if (std::isnan(error) != std::isnan(than.worst_error)) return std::isnan(error);
  if (std::isnan(error) || error == than.worst_error) return at < than.worst;
  return error > than.worst_error;
}

// Each thread's wrong elements. Blocks must be added in rising order.
template <class Real>
class WrongFinder {
 public:
  WrongFinder(const Tolerances& tolerances, int threads)
      : tolerances_(tolerances), found_(static_cast<std::size_t>(threads)) {}

  void look(int thread, std::uint64_t begin, std::size_t count, const Real* absolute, const Real* relative) {
    WrongElements& wrong = found_[static_cast<std::size_t>(thread)];
    const std::uint64_t beyond =
        kernels_.count_beyond(absolute, relative, count, tolerances_.absolute, tolerances_.relative);
    if (beyond == 0) return;
    wrong.count += beyond;
    if (std::isnan(wrong.worst_error)) return;  // nothing later is worse
    const stats::BlockExtremes<Real> extremes = kernels_.extremes(absolute, count);
    if (!extremes.has_nan && static_cast<double>(extremes.max) <= wrong.worst_error) return;
    look_for_worst(begin, count, absolute, relative, wrong);
  }

  [[nodiscard]] WrongElements all() const {
    WrongElements all;
    for (const WrongElements& wrong : found_) {
      const std::uint64_t count = all.count + wrong.count;
      if (wrong.count != 0 && (all.count == 0 || worse(wrong.worst_error, wrong.worst, all))) all = wrong;
      all.count = count;
    }
    return all;
  }

 private:
  void look_for_worst(std::uint64_t begin, std::size_t count, const Real* absolute, const Real* relative,
                      WrongElements& wrong) const {
    for (std::size_t i = 0; i < count; ++i) {
      const double error = absolute[i];
      if (error <= tolerances_.absolute || static_cast<double>(relative[i]) <= tolerances_.relative) continue;
      if (wrong.worst_error == -1 || worse(error, begin + i, wrong)) {
        wrong.worst = begin + i;
        wrong.worst_error = error;
        wrong.worst_relative = relative[i];
      }
    }
  }

  Tolerances tolerances_;
  std::vector<WrongElements> found_;
  const stats::BlockKernels<Real>& kernels_ = stats::block_kernels<Real>();
};

}  // namespace

bool PairFacts::equal() {
  if (!equal_) equal_ = stats::surely_equal(first_, second_);
  return *equal_;
}

template <class Real>
PairSummaries PairFacts::summarize_all(const std::optional<Tolerances>& wrong_by) {
  const stats::Differences<Real> differences(first_, second_, specials_);
  const stats::Arithmetic absolute = differences.absolute_arithmetic();
  const stats::Arithmetic relative = differences.relative_arithmetic();
  const bool together = summarized_in<Real>(first_) && summarized_in<Real>(second_);
  const std::size_t at = together ? 2 : 0;  // index of the absolute differences
  WrongFinder<Real> wrong(wrong_by.value_or(Tolerances{}), stats::threads_for(first_.size(), 0));
  stats::VisitBlock<Real> visit;
  if (wrong_by) {
    visit = [&](int thread, std::uint64_t begin, std::size_t count, const Real* const* blocks) {
      wrong.look(thread, begin, count, blocks[at], blocks[at + 1]);
    };
  }
  PairSummaries result;
  if (together) {
    const std::array arithmetics = {stats::arithmetic_of(first_.type()), stats::arithmetic_of(second_.type()), absolute,
                                    relative};
    const std::vector<stats::Summary> all =
        stats::summarize<Real>(stats::PairColumns<Real>(differences), arithmetics, 0, visit);
    result = {all[0], all[1], all[2], all[3]};
  } else {
    const std::vector<stats::Summary> both =
        stats::summarize<Real>(stats::DifferenceColumns<Real>(differences), std::array{absolute, relative}, 0, visit);
    result = {stats::summarize(first_), stats::summarize(second_), both[0], both[1]};
  }
  if (wrong_by) wrong_.emplace(*wrong_by, wrong.all());
  return result;
}

const PairSummaries& PairFacts::summaries(const std::optional<Tolerances>& wrong_by) {
  if (summaries_) return *summaries_;
  if (equal()) {
    summaries_.emplace();
    summaries_->first = summaries_->second = stats::summarize(first_);
    summaries_->absolute.count = summaries_->relative.count = first_.size();
    return *summaries_;
  }
  summaries_ = in_float() ? summarize_all<float>(wrong_by) : summarize_all<double>(wrong_by);
  return *summaries_;
}

template <class Real>
std::array<std::string, 4> PairFacts::draw_histograms() {
  const PairSummaries& all = summaries();
  const stats::Differences<Real> differences(first_, second_, specials_);
  std::array of = {all.first, all.second, all.absolute, all.relative};
  if (has_finite_extremes(all.first) && has_finite_extremes(all.second)) {
    of[0].min = of[1].min = std::min(all.first.min, all.second.min);
    of[0].max = of[1].max = std::max(all.first.max, all.second.max);
  }
  const std::vector<stats::Histogram> histograms =
      stats::histograms_of<Real>(stats::PairColumns<Real>(differences), of);
  std::array<std::string, 4> texts;
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = stats::draw(histograms[i]);
  return texts;
}

std::array<std::string, 4> PairFacts::histograms() {
  if (first_.size() == 0) return {};
  return in_float() ? draw_histograms<float>() : draw_histograms<double>();
}

const stats::ErrorSummary& PairFacts::errors() {
  if (!errors_) errors_ = stats::measure(first_, second_, {.equal = specials_}).value();
  return *errors_;
}

template <class Real>
WrongElements PairFacts::find_wrong(const Tolerances& tolerances) {
  const stats::Differences<Real> differences(first_, second_, specials_);
  const int threads = stats::threads_for(first_.size(), 0);
  WrongFinder<Real> wrong(tolerances, threads);
  const auto visit = [&](int thread, std::uint64_t begin, std::size_t count, Real* const* blocks) {
    wrong.look(thread, begin, count, blocks[0], blocks[1]);
  };
  stats::scan_columns<Real>(stats::DifferenceColumns<Real>(differences), threads, visit);
  return wrong.all();
}

WrongElements PairFacts::wrong_elements(const Tolerances& tolerances) {
  if (first_.size() == 0) return {};
  if (equal() && (tolerances.absolute >= 0 || tolerances.relative >= 0)) return {};
  if (!wrong_ || wrong_->first != tolerances) {
    wrong_.emplace(tolerances, in_float() ? find_wrong<float>(tolerances) : find_wrong<double>(tolerances));
  }
  return wrong_->second;
}

template <class Real>
std::pair<double, double> PairFacts::find_quantiles(double fraction) {
  const stats::Differences<Real> differences(first_, second_, specials_);
  return {stats::quantile<Real>(stats::AbsoluteSeries<Real>(differences), differences.absolute_arithmetic(), fraction),
          stats::quantile<Real>(stats::RelativeSeries<Real>(differences), differences.relative_arithmetic(), fraction)};
}

std::pair<double, double> PairFacts::quantiles(double fraction) {
  if (first_.size() == 0) return {0, 0};
  return in_float() ? find_quantiles<float>(fraction) : find_quantiles<double>(fraction);
}

}  // namespace assay::compare
