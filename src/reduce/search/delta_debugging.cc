// A rejected set raises the probabilities of its elements by Bayes' rule: p becomes p / P(at least one is needed).
// Elements that haven't been in a rejected set share one estimate (1 / fresh_among_), so a success updates it in
// O(set). When no set is worth a trial any more, single elements are tried until each was tried alone against the
// current set.
#include "reduce/search/delta_debugging.h"

#include <algorithm>
#include <utility>

#include "base/at.h"

namespace assay::reduce {
namespace {

using base::at;

constexpr double kSure = 0.999;
constexpr double kNeverSure = 1e-6;
constexpr double kMostNeeded = 0.5;  // if most are needed, one that isn't says little about the others
constexpr double kInDoubt = 0.6;
constexpr double kMany = 4;  // multiple of the number of elements among which one is expected to be needed
constexpr std::int32_t kNever = -1;

}  // namespace

DeltaDebugging::DeltaDebugging(std::vector<double> needed)
    : needed_(std::move(needed)),
      fresh_(needed_.size(), false),
      gone_(needed_.size(), false),
      preferred_(needed_.size(), false),
      tried_alone_(needed_.size(), kNever),
      left_count_(needed_.size()) {
  if (needed_.empty()) return;
  const double common = std::ranges::min(needed_);
  for (std::size_t i = 0; i < needed_.size(); ++i) fresh_[i] = needed_[i] == common && common < kMostNeeded;
  fresh_among_ = 1 / std::max(common, kNeverSure);
}

double DeltaDebugging::needed(int element) const {
  return fresh_[at(element)] ? 1 / fresh_among_ : needed_[at(element)];
}

std::vector<int> DeltaDebugging::left() const {
  std::vector<int> result;
  result.reserve(left_count_);
  for (std::size_t i = 0; i < gone_.size(); ++i) {
    if (!gone_[i]) result.push_back(static_cast<int>(i));
  }
  return result;
}

std::vector<int> DeltaDebugging::by_probability() const {
  std::vector<int> order = left();
  std::ranges::stable_sort(order, {}, [&](int i) { return std::pair(needed(i), fresh_[at(i)] || !preferred_[at(i)]); });
  return order;
}

// As elements are added in order of probability, the expected gain rises to a single maximum and then falls.
void DeltaDebugging::choose() {
  const std::size_t limit = may_empty_ ? left_count_ : left_count_ - std::min<std::size_t>(left_count_, 1);
  double all_can_go = 1;
  double others_can_go = 1;
  double best = 0;
  std::size_t fresh = 0;
  for (const int element : by_probability()) {
    if (trial_.size() >= limit || needed(element) >= kSure) break;
    all_can_go *= 1 - needed(element);
    const double gain = all_can_go * static_cast<double>(trial_.size() + 1);
    if (gain < best) break;
    best = gain;
    trial_.push_back(element);
    if (fresh_[at(element)]) {
      ++fresh;
    } else {
      others_can_go *= 1 - needed(element);
    }
  }
  chance_ = others_can_go * fresh_among_ / (fresh_among_ + static_cast<double>(fresh));
  std::ranges::sort(trial_);
}

void DeltaDebugging::prefer(const std::vector<int>& elements) {
  for (const int element : elements) {
    preferred_[at(element)] = true;
    needed_[at(element)] = std::min(needed_[at(element)], kInDoubt);
  }
}

void DeltaDebugging::all_first() {
  trial_ = left();
  if (!may_empty_ && !trial_.empty()) trial_.pop_back();
  chance_ = 0.5;
}

void DeltaDebugging::choose_stale() {
  if (left_count_ <= 1 && !may_empty_) return;
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    if (gone_[i] || tried_alone_[i] == version_) continue;
    trial_ = {static_cast<int>(i)};
    chance_ = 1 - kSure;
    return;
  }
}

const std::vector<int>& DeltaDebugging::next() {
  if (trial_.empty()) choose();
  if (trial_.empty()) choose_stale();
  return trial_;
}

void DeltaDebugging::learn(bool can_go) {
  const std::vector<int> trial = std::exchange(trial_, {});
  if (can_go) {
    for (const int element : trial) {
      gone_[at(element)] = true;
      fresh_among_ += fresh_[at(element)] ? 1 : 0;
    }
    left_count_ -= trial.size();
    ++version_;
    return;
  }
  if (trial.size() == 1) tried_alone_[at(trial.front())] = version_;
  // If many elements can't all be removed, that says next to nothing about each.
  const bool says_nothing = trial.size() == left_count_ && static_cast<double>(trial.size()) > kMany * fresh_among_;
  if (says_nothing) return;
  double all_can_go = 1;
  for (const int element : trial) all_can_go *= 1 - needed(element);
  for (const int element : trial) {
    const double before = needed(element);
    fresh_[at(element)] = false;
    needed_[at(element)] = trial.size() == 1 ? 1 : std::min(kSure, before / (1 - all_can_go));
  }
}

}  // namespace assay::reduce
