// The result will be small, so the passing candidate closest in size will be, too. Large candidates aren't worth their
// memory, except for the latest.
#include "reduce/explore/best_models.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace assay::reduce {
namespace {

constexpr std::size_t kPassingKept = 8;
constexpr std::int64_t kNodesKept = 10'000;  // in all, except for the smallest or the latest

}  // namespace

std::int64_t BestModels::add_failing(const Judged& judged) {
  if (best_.model && judged.nodes > best_.nodes) return 0;
  const std::int64_t removed = std::max<std::int64_t>((best_.model ? best_.nodes : whole_) - judged.nodes, 0);
  if (best_.model) keep_earlier(std::move(best_));
  best_ = judged;
  return removed;
}

void BestModels::keep_earlier(Judged judged) {
  earlier_.push_back(std::move(judged));
  std::int64_t nodes = 0;
  for (auto at = earlier_.rbegin(); at != earlier_.rend(); ++at) {
    nodes += at->nodes;
    if (at == earlier_.rbegin() || nodes <= kNodesKept) continue;
    earlier_.erase(earlier_.begin(), at.base());
    return;
  }
}

bool BestModels::drop_best() {
  if (earlier_.empty()) return false;
  best_ = std::move(earlier_.back());
  earlier_.pop_back();
  return true;
}

void BestModels::add_passing(const Judged& judged) {
  passing_.push_back(judged);
  std::ranges::stable_sort(passing_, {}, &Judged::nodes);
  std::int64_t nodes = 0;
  std::size_t kept = 0;
  for (; kept < std::min(kPassingKept, passing_.size()); ++kept) {
    nodes += passing_[kept].nodes;
    if (kept > 0 && nodes > kNodesKept) break;
  }
  passing_.resize(kept);
}

Judged BestModels::nearest_passing() const {
  if (passing_.empty()) return {};
  return *std::ranges::min_element(passing_, {},
                                   [&](const Judged& one) { return std::llabs(one.nodes - best_.nodes); });
}

}  // namespace assay::reduce
