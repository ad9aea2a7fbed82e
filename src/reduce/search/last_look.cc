// A failing candidate restarts the look with that model, at the way after the one that succeeded: neighbouring nodes
// can often be removed in the same way. The look ends only once all ways have been tried against the final model.
#include "reduce/search/last_look.h"

#include <algorithm>
#include <utility>

#include "reduce/verdicts/candidate_hash.h"

namespace assay::reduce {
namespace {

constexpr double kCanGo = 0.05;
constexpr double kFlips = 0.02;

}  // namespace

LastLook::LastLook(SharedModel model, ListWays list, Options options) : list_(std::move(list)), options_(options) {
  begin(std::move(model));
}

void LastLook::begin(SharedModel model) {
  model_ = std::move(model);
  ways_ = list_(model_);
  tried_ = 0;
  first_ = 0;
  again_ = 0;
  passed_.clear();
}

// Starts at the first way of the same kind for a node at or after the removed one's position, then wraps around.
void LastLook::restart_after(SharedModel model, Removals::Way last) {
  begin(std::move(model));
  for (std::size_t i = 0; i < ways_->size(); ++i) {
    const Removals::Way& way = ways_->way(i);
    if (way.kind != last.kind || way.node < last.node) continue;
    first_ = i;
    return;
  }
}

std::optional<std::size_t> LastLook::at() const {
  if (tried_ == ways_->size()) return std::nullopt;
  return (first_ + tried_) % ways_->size();
}

const SharedModel* LastLook::again() const {
  for (std::size_t node = again_; options_.runs_again && node < passed_.size(); ++node) {
    if (passed_[node].candidates.size() == 1) return &passed_[node].model;
  }
  return nullptr;
}

std::optional<Proposal> LastLook::next() {
  if (flipped_) return std::nullopt;
  for (; at(); ++tried_) {
    const SharedModel& candidate = ways_->build(*at());
    if (!candidate) continue;
    const Removals::Way& way = ways_->way(*at());
    Proposal proposal{.draft = candidate, .pass = kVerify, .what = way.what, .chance_to_fail = kCanGo};
    // A model without nodes is never the result. The further run only shows whether it fails, too.
    if (way.is_empty) proposal.further_run = options_.first_run;
    return proposal;
  }
  const SharedModel* candidate = again();
  if (candidate == nullptr) return std::nullopt;
  return Proposal{.draft = *candidate,
                  .pass = kVerify,
                  .what = "a candidate that passed, again",
                  .chance_to_fail = kFlips,
                  .further_run = options_.first_run};
}

void LastLook::learn_way(const Verdict& verdict) {
  const SharedModel candidate = ways_->build(*at());
  const Removals::Way way = ways_->way(*at());
  ++tried_;
  const bool fails = verdict.kind == Verdict::Kind::fails;
  if (way.is_empty) {
    empty_fails_ = fails;
    return;
  }
  if (fails) {
    restart_after(candidate, way);
    return;
  }
  if (passed_.size() <= way.node) passed_.resize(way.node + 1);
  Passed& passed = passed_[way.node];
  if (verdict.kind == Verdict::Kind::passes || !passed.model) passed.model = candidate;
  passed.candidates.insert(candidate_hash(*candidate));
}

void LastLook::learn(const Verdict& verdict) {
  if (at()) {
    learn_way(verdict);
    return;
  }
  const SharedModel* candidate = again();
  if (candidate == nullptr) return;
  if (verdict.kind == Verdict::Kind::fails) flipped_ = *candidate;
  again_ = static_cast<std::size_t>(std::ranges::find(passed_, *candidate, &Passed::model) - passed_.begin()) + 1;
}

}  // namespace assay::reduce
