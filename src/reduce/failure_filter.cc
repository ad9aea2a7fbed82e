#include "reduce/failure_filter.h"

#include <algorithm>

#include "reduce/count_nodes.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kMostOthers = 16;

}  // namespace

void FailureFilter::classify(Verdict& verdict, const std::shared_ptr<const model::Model>& model) {
  if (verdict.source == Verdict::Source::replay_file) return;
  const Signature seen = signature_of(verdict);
  if (!reference_) reference_ = seen;
  if (same_failure(*reference_, seen, mode_)) return;
  verdict.kind = Verdict::Kind::unresolved;
  verdict.text += ", but in another way";
  const std::int64_t nodes = count_all_nodes(*model);
  const auto known = std::ranges::find_if(
      others_, [&](const OtherFailure& other) { return same_failure(other.signature, seen, SameFailure::same_class); });
  if (known != others_.end()) {
    ++known->times;
    if (nodes < known->nodes) known->model = model, known->nodes = nodes;
    return;
  }
  log_->warning("Another failure: {}{}{}. It is not the one that is searched ({}), and is kept aside.", describe(seen),
                seen.headline.empty() ? "" : ": ", seen.headline, describe(*reference_));
  if (others_.size() < kMostOthers) others_.push_back({.signature = seen, .model = model, .nodes = nodes, .times = 1});
}

}  // namespace assay::reduce
