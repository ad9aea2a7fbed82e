#include "compare/pair_facts.h"

#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "compare/histogram.h"
#include "compare/scan.h"

namespace assay::compare {
namespace {

// Whether summarize(tensor) computes in Real.
template <class Real>
bool summarized_in(const tensor::Tensor& tensor) {
  const Arithmetic arithmetic = arithmetic_of(tensor.type());
  const bool in_float = arithmetic == Arithmetic::float16 || arithmetic == Arithmetic::float32;
  return in_float == std::is_same_v<Real, float>;
}

// Whether one element is worse than another: a larger error, then one that comes earlier.
bool worse(double error, std::uint64_t at, const WrongElements& than) {
  if (std::isnan(error) != std::isnan(than.worst_error)) return std::isnan(error);
  if (std::isnan(error) || error == than.worst_error) return at < than.worst;
  return error > than.worst_error;
}

template <class Real>
void look_for_worst(const Real* absolute, const Real* relative, std::uint64_t begin, std::size_t count,
                    double absolute_tolerance, double relative_tolerance, WrongElements& wrong) {
  for (std::size_t i = 0; i < count; ++i) {
    const double error = absolute[i];
    if (error <= absolute_tolerance || static_cast<double>(relative[i]) <= relative_tolerance) continue;
    if (wrong.worst_error == -1 || worse(error, begin + i, wrong)) {
      wrong.worst = begin + i;
      wrong.worst_error = error;
      wrong.worst_relative = relative[i];
    }
  }
}

}  // namespace

bool PairFacts::equal() {
  if (!equal_) equal_ = surely_equal(first_, second_);
  return *equal_;
}

template <class Real>
PairSummaries PairFacts::summarize_all() {
  const Differences<Real> differences(first_, second_, infinities_equal_);
  const Arithmetic absolute = differences.absolute_arithmetic();
  const Arithmetic relative = differences.relative_arithmetic();
  if (summarized_in<Real>(first_) && summarized_in<Real>(second_)) {
    const std::array arithmetics = {arithmetic_of(first_.type()), arithmetic_of(second_.type()), absolute, relative};
    const std::vector<Summary> all = summarize<Real>(PairColumns<Real>(differences), arithmetics);
    return {all[0], all[1], all[2], all[3]};
  }
  const std::vector<Summary> both =
      summarize<Real>(DifferenceColumns<Real>(differences), std::array{absolute, relative});
  return {summarize(first_), summarize(second_), both[0], both[1]};
}

const PairSummaries& PairFacts::summaries() {
  if (summaries_) return *summaries_;
  if (equal()) {
    summaries_.emplace();
    summaries_->first = summaries_->second = summarize(first_);
    summaries_->absolute.count = summaries_->relative.count = first_.size();
    return *summaries_;
  }
  summaries_ = in_float() ? summarize_all<float>() : summarize_all<double>();
  return *summaries_;
}

template <class Real>
std::array<std::string, 4> PairFacts::draw_histograms() {
  const PairSummaries& all = summaries();
  const Differences<Real> differences(first_, second_, infinities_equal_);
  const std::array of = {all.first, all.second, all.absolute, all.relative};
  const std::vector<Histogram> histograms = histograms_of<Real>(PairColumns<Real>(differences), of);
  std::array<std::string, 4> texts;
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = draw(histograms[i]);
  return texts;
}

std::array<std::string, 4> PairFacts::histograms() {
  if (first_.size() == 0) return {};
  return in_float() ? draw_histograms<float>() : draw_histograms<double>();
}

const ErrorSummary& PairFacts::errors() {
  if (!errors_) errors_ = measure(first_, second_, {.infinities_equal = infinities_equal_}).value();
  return *errors_;
}

template <class Real>
WrongElements PairFacts::find_wrong(double absolute_tolerance, double relative_tolerance) {
  const Differences<Real> differences(first_, second_, infinities_equal_);
  const BlockKernels<Real>& kernels = block_kernels<Real>();
  const int threads = threads_for(first_.size(), 0);
  std::vector<WrongElements> found(static_cast<std::size_t>(threads));
  const auto visit = [&](int thread, std::uint64_t begin, std::size_t count, Real* const* blocks) {
    WrongElements& wrong = found[static_cast<std::size_t>(thread)];
    const Real* absolute = blocks[0];
    const Real* relative = blocks[1];
    const std::uint64_t beyond =
        kernels.count_beyond(absolute, relative, count, absolute_tolerance, relative_tolerance);
    if (beyond == 0) return;
    wrong.count += beyond;
    if (std::isnan(wrong.worst_error)) return;  // nothing that comes later is worse
    const BlockExtremes<Real> extremes = kernels.extremes(absolute, count);
    if (!extremes.has_nan && static_cast<double>(extremes.max) <= wrong.worst_error) return;
    look_for_worst(absolute, relative, begin, count, absolute_tolerance, relative_tolerance, wrong);
  };
  scan_columns<Real>(DifferenceColumns<Real>(differences), threads, visit);
  WrongElements all;
  for (const WrongElements& wrong : found) {
    const std::uint64_t count = all.count + wrong.count;
    if (wrong.count != 0 && (all.count == 0 || worse(wrong.worst_error, wrong.worst, all))) all = wrong;
    all.count = count;
  }
  return all;
}

WrongElements PairFacts::wrong_elements(double absolute_tolerance, double relative_tolerance) {
  if (first_.size() == 0) return {};
  if (equal() && (absolute_tolerance >= 0 || relative_tolerance >= 0)) return {};
  // Where even the largest error is within its tolerance, all are.
  if (summaries_ &&
      (summaries_->absolute.max <= absolute_tolerance || summaries_->relative.max <= relative_tolerance)) {
    return {};
  }
  return in_float() ? find_wrong<float>(absolute_tolerance, relative_tolerance)
                    : find_wrong<double>(absolute_tolerance, relative_tolerance);
}

template <class Real>
std::pair<double, double> PairFacts::find_quantiles(double fraction) {
  const Differences<Real> differences(first_, second_, infinities_equal_);
  return {quantile<Real>(AbsoluteSeries<Real>(differences), differences.absolute_arithmetic(), fraction),
          quantile<Real>(RelativeSeries<Real>(differences), differences.relative_arithmetic(), fraction)};
}

std::pair<double, double> PairFacts::quantiles(double fraction) {
  return in_float() ? find_quantiles<float>(fraction) : find_quantiles<double>(fraction);
}

}  // namespace assay::compare
