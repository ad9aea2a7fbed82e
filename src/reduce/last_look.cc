#include "reduce/last_look.h"

#include <algorithm>
#include <utility>

#include "reduce/candidate_hash.h"

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
  at_ = 0;
  again_ = 0;
  passed_.clear();
}

const LastLook::SharedModel* LastLook::again() const {
  for (std::size_t node = again_; options_.runs_again && node < passed_.size(); ++node) {
    if (passed_[node].candidates.size() == 1) return &passed_[node].model;
  }
  return nullptr;
}

std::optional<Proposal> LastLook::next() {
  if (flipped_) return std::nullopt;
  for (; at_ < ways_->size(); ++at_) {
    const SharedModel& candidate = ways_->build(at_);
    if (!candidate) continue;
    const Removals::Way& way = ways_->way(at_);
    Proposal proposal{.draft = candidate, .pass = kVerify, .what = way.what, .chance_to_fail = kCanGo};
    // A model without nodes is never the result: this asks only what the check says of it.
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
  const SharedModel candidate = ways_->build(at_);
  const Removals::Way& way = ways_->way(at_++);
  const bool fails = verdict.kind == Verdict::Kind::fails;
  if (way.is_empty) {
    empty_fails_ = fails;
    return;
  }
  if (fails) {
    begin(candidate);
    return;
  }
  if (passed_.size() <= way.node) passed_.resize(way.node + 1);
  Passed& passed = passed_[way.node];
  if (verdict.kind == Verdict::Kind::passes || !passed.model) passed.model = candidate;
  passed.candidates.insert(candidate_hash(*candidate));
}

void LastLook::learn(const Verdict& verdict) {
  if (at_ < ways_->size()) {
    learn_way(verdict);
    return;
  }
  const SharedModel* candidate = again();
  if (candidate == nullptr) return;
  if (verdict.kind == Verdict::Kind::fails) flipped_ = *candidate;
  again_ = static_cast<std::size_t>(
               std::ranges::find(passed_, *candidate, &Passed::model) - passed_.begin()) + 1;
}

}  // namespace assay::reduce
