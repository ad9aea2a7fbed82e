#include "reduce/node_search.h"

#include <utility>

namespace assay::reduce {

NodeSearch::NodeSearch(const edit::Subject& subject, std::set<std::string, std::less<>> skip)
    : subject_(&subject), skip_(std::move(skip)) {
  found_.best = std::make_shared<const Nodes>(subject.nodes().begin(), subject.nodes().end());
}

NodeSearch::NodeSearch(const NodeSearch& other)
    : subject_(other.subject_),
      skip_(other.skip_),
      state_(other.state_),
      found_(other.found_),
      row_(other.row_),
      phase_(other.phase_ ? other.phase_->clone() : nullptr),
      trial_(other.trial_) {}

void NodeSearch::advance() {
  while (!trial_ && row_ < phases().size()) {
    const PhaseRow& row = phases()[row_];
    if (!phase_ && !skip_.contains(row.name)) phase_ = row.begin(*subject_, found_);
    if (phase_) trial_ = phase_->next();
    if (trial_) return;
    if (phase_) row.end(*phase_, found_);
    phase_.reset();
    ++row_;
  }
}

std::optional<Proposal> NodeSearch::next() {
  if (state_ == State::passes) return std::nullopt;
  if (state_ == State::whole) {
    return Proposal{.draft = std::make_shared<const edit::Selection>(edit::whole(*subject_)),
                    .pass = "whole",
                    .what = "the whole model",
                    .chance_to_fail = 0.95};
  }
  advance();
  if (!trial_) return std::nullopt;
  return Proposal{.draft = std::make_shared<const edit::Selection>(select(*subject_, trial_->nodes)),
                  .pass = phases()[row_].name,
                  .what = trial_->what,
                  .chance_to_fail = trial_->chance};
}

void NodeSearch::learn(const Verdict& verdict) {
  if (state_ == State::whole) {
    state_ = verdict.kind == Verdict::Kind::fails ? State::phases : State::passes;
    found_.text = verdict.output;
    return;
  }
  if (!trial_) return;
  if (verdict.kind == Verdict::Kind::fails) found_.best = std::make_shared<const Nodes>(std::move(trial_->nodes));
  trial_.reset();
  phase_->learn(verdict.kind);
}

}  // namespace assay::reduce
