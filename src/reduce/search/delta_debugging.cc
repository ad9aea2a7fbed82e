// A rejected set raises the probabilities of its elements by Bayes' rule: p becomes p / P(at least one is needed).
// Elements that haven't been in a rejected set share one estimate (1 / fresh_among_), so a success updates it in
// O(set). Without a prior, that estimate is the mean of a beta distribution which counts every element that has been
// tried, by its probability: it begins a little above a half, so that the first trials cost nothing if all elements are
// needed. When no set is worth a trial any more, single elements are tried until each was tried alone against the
// current set.
//
// A rejected run changes no probability: it is more likely to contain one needed element than to say something about
// all of them, and single elements are tried next anyway.
#include "reduce/search/delta_debugging.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/at.h"

namespace assay::reduce {
namespace {

using base::at;

constexpr double kSure = 0.999;
constexpr double kNeverSure = 1e-6;
constexpr double kMostNeeded = 0.5;  // if most are needed, one that isn't says little about the others
constexpr double kInDoubt = 0.6;
constexpr double kMany = 4;  // times as many elements as those among which one is expected to be needed
constexpr std::int32_t kNever = -1;
// Removed in a row before a run is tried. Was measured: with two, failures that need most elements take more trials.
constexpr std::size_t kInRow = 3;
// Without a prior: as if so many elements had been tried before. Was measured: other values take more runs.
constexpr double kNeededBefore = 2;
constexpr double kTriedBefore = 3;

}  // namespace

DeltaDebugging::DeltaDebugging(std::vector<double> needed)
    : needed_(std::move(needed)),
      fresh_(needed_.size(), false),
      removed_(needed_.size(), false),
      preferred_(needed_.size(), false),
      tried_alone_(needed_.size(), kNever),
      remaining_count_(needed_.size()) {
  if (needed_.empty()) return;
  const double common = std::ranges::min(needed_);
  for (std::size_t i = 0; i < needed_.size(); ++i) fresh_[i] = needed_[i] == common && common < kMostNeeded;
  fresh_among_ = 1 / std::max(common, kNeverSure);
}

DeltaDebugging DeltaDebugging::without_prior(std::size_t count) {
  DeltaDebugging search(std::vector<double>(count, kNeededBefore / kTriedBefore));
  search.fresh_.assign(count, true);
  search.failures_count_ = true;
  return search;
}

double DeltaDebugging::needed(int element) const {
  return fresh_[at(element)] ? 1 / fresh_among_ : needed_[at(element)];
}

std::vector<int> DeltaDebugging::remaining() const {
  std::vector<int> result;
  result.reserve(remaining_count_);
  for (std::size_t i = 0; i < removed_.size(); ++i) {
    if (!removed_[i]) result.push_back(static_cast<int>(i));
  }
  return result;
}

std::vector<bool> DeltaDebugging::removed_in_trial() const {
  std::vector<bool> removed = removed_;
  for (const int element : trial_) removed[at(element)] = true;
  return removed;
}

std::vector<int> DeltaDebugging::by_probability() const {
  std::vector<int> order = remaining();
  std::ranges::stable_sort(order, {}, [&](int i) { return std::pair(needed(i), fresh_[at(i)] || !preferred_[at(i)]); });
  return order;
}

double DeltaDebugging::chance_of_fresh(std::size_t count) const {
  if (failures_count_) return std::pow(1 - 1 / fresh_among_, static_cast<double>(count));
  return fresh_among_ / (fresh_among_ + static_cast<double>(count));
}

// As elements are added in order of probability, the expected gain rises to a single maximum and then falls.
void DeltaDebugging::choose() {
  const std::size_t limit =
      allows_empty_ ? remaining_count_ : remaining_count_ - std::min<std::size_t>(remaining_count_, 1);
  double all_removable = 1;
  double others_removable = 1;
  double best = 0;
  std::size_t fresh = 0;
  for (const int element : by_probability()) {
    if (trial_.size() >= limit || needed(element) >= kSure) break;
    all_removable *= 1 - needed(element);
    const double gain = all_removable * static_cast<double>(trial_.size() + 1);
    if (gain < best) break;
    best = gain;
    trial_.push_back(element);
    if (fresh_[at(element)]) {
      ++fresh;
    } else {
      others_removable *= 1 - needed(element);
    }
  }
  chance_ = others_removable * chance_of_fresh(fresh);
  std::ranges::sort(trial_);
}

void DeltaDebugging::prefer(const std::vector<int>& elements) {
  for (const int element : elements) {
    preferred_[at(element)] = true;
    needed_[at(element)] = std::min(needed_[at(element)], kInDoubt);
  }
}

void DeltaDebugging::all_first() {
  trial_ = remaining();
  if (!allows_empty_ && !trial_.empty()) trial_.pop_back();
  chance_ = 0.5;
}

void DeltaDebugging::choose_stale() {
  if (remaining_count_ <= 1 && !allows_empty_) return;
  // The one whose trial is the longest ago: otherwise each success would begin again with those that failed just now.
  std::optional<std::size_t> oldest;
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    if (removed_[i] || tried_alone_[i] == version_) continue;
    if (!oldest || tried_alone_[i] < tried_alone_[*oldest]) oldest = i;
  }
  if (!oldest) return;
  trial_ = {static_cast<int>(*oldest)};
  chance_ = 1 - kSure;
}

// The first run has two elements; each that can be removed is followed by one of twice the size.
void DeltaDebugging::extend_to_run() {
  if (removed_in_row_ < kInRow || fresh_[at(trial_.front())]) return;
  const std::size_t size = std::min(removed_in_row_ - 1, remaining_count_ - (allows_empty_ ? 0 : 1));
  for (std::size_t i = at(trial_.front()) + 1; i < needed_.size() && trial_.size() < size; ++i) {
    if (!removed_[i] && !fresh_[i]) trial_.push_back(static_cast<int>(i));
  }
  is_run_ = trial_.size() > 1;
  if (!is_run_) return;
  const auto removed = static_cast<double>(removed_in_row_ + 1);  // rule of succession
  chance_ = removed / (removed + static_cast<double>(trial_.size()));
}

const std::vector<int>& DeltaDebugging::next() {
  if (!trial_.empty()) return trial_;
  choose();
  if (trial_.empty()) choose_stale();
  if (trial_.size() == 1) extend_to_run();
  return trial_;
}

void DeltaDebugging::learn(bool removable) {
  const std::vector<int> trial = std::exchange(trial_, {});
  const bool was_run = std::exchange(is_run_, false);
  if (!removable) {
    removed_in_row_ = 0;
  } else if (was_run || trial.size() == 1) {
    removed_in_row_ += trial.size();
  }
  if (removable) {
    for (const int element : trial) {
      removed_[at(element)] = true;
      fresh_among_ += fresh_[at(element)] ? 1 : 0;
    }
    remaining_count_ -= trial.size();
    ++version_;
    if (failures_count_) estimate_share();
    return;
  }
  if (was_run) return;
  if (trial.size() == 1) tried_alone_[at(trial.front())] = version_;
  // If many elements can't all be removed, that says next to nothing about each of them.
  const bool says_nothing =
      trial.size() == remaining_count_ && static_cast<double>(trial.size()) > kMany * fresh_among_;
  if (says_nothing) return;
  double all_removable = 1;
  for (const int element : trial) all_removable *= 1 - needed(element);
  for (const int element : trial) {
    const double before = needed(element);
    fresh_[at(element)] = false;
    needed_[at(element)] = trial.size() == 1 ? 1 : std::min(kSure, before / (1 - all_removable));
  }
  if (failures_count_) estimate_share();
}

void DeltaDebugging::estimate_share() {
  double tried = kTriedBefore, needed = kNeededBefore;
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    if (fresh_[i] && !removed_[i]) continue;
    tried += 1;
    if (!removed_[i]) needed += needed_[i];
  }
  fresh_among_ = tried / needed;
}

}  // namespace assay::reduce
