#include "reduce/delta_debugging.h"

#include <algorithm>
#include <utility>

namespace assay::reduce {
namespace {

constexpr double kSure = 0.999;
constexpr std::int32_t kNever = -1;

std::size_t at(int element) {
  return static_cast<std::size_t>(element);
}

}  // namespace

DeltaDebugging::DeltaDebugging(std::vector<double> needed)
    : needed_(std::move(needed)),
      gone_(needed_.size(), false),
      tried_alone_(needed_.size(), kNever),
      left_count_(needed_.size()) {}

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
  std::ranges::stable_sort(order, {}, [&](int i) { return needed_[at(i)]; });
  return order;
}

// Adding the elements in order of probability, the expected gain rises to one maximum and falls.
void DeltaDebugging::choose() {
  const std::size_t limit = may_empty_ ? left_count_ : left_count_ - std::min<std::size_t>(left_count_, 1);
  double all_can_go = 1;
  double best = 0;
  for (const int element : by_probability()) {
    if (trial_.size() >= limit || needed_[at(element)] >= kSure) break;
    all_can_go *= 1 - needed_[at(element)];
    const double gain = all_can_go * static_cast<double>(trial_.size() + 1);
    if (gain < best) break;
    best = gain;
    chance_ = all_can_go;
    trial_.push_back(element);
  }
  std::ranges::sort(trial_);
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
    for (const int element : trial) gone_[at(element)] = true;
    left_count_ -= trial.size();
    ++version_;
    return;
  }
  if (trial.size() == 1) tried_alone_[at(trial.front())] = version_;
  double all_can_go = 1;
  for (const int element : trial) all_can_go *= 1 - needed_[at(element)];
  for (const int element : trial) {
    double& needed = needed_[at(element)];
    needed = trial.size() == 1 ? 1 : std::min(kSure, needed / (1 - all_can_go));
  }
}

}  // namespace assay::reduce
