// The phases run only after the whole has failed. If the caller says that it does (`failed_as`), that check is saved
// until several candidates in a row have passed, or no phase has anything to try.
#include "reduce/search/node_search.h"

#include <utility>

namespace assay::reduce {
namespace {

constexpr int kDoubts = 6;  // candidates that didn't fail, before the whole is judged after all

}  // namespace

NodeSearch::NodeSearch(const edit::Subject& subject, std::set<std::string, std::less<>> skip,
                       std::optional<std::string> failed_as)
    : subject_(&subject), skip_(std::move(skip)), state_(failed_as ? State::phases : State::whole) {
  found_.best = std::make_shared<const Nodes>(subject.nodes().begin(), subject.nodes().end());
  if (failed_as) found_.text = *std::move(failed_as);
}

NodeSearch::NodeSearch(const NodeSearch& other)
    : subject_(other.subject_),
      skip_(other.skip_),
      state_(other.state_),
      confirmed_(other.confirmed_),
      passed_(other.passed_),
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
    if (phase_) phase_->end(found_);
    phase_.reset();
    ++row_;
  }
}

bool NodeSearch::asks_for_whole() const {
  if (state_ == State::whole) return true;
  return state_ == State::phases && !confirmed_ && (passed_ >= kDoubts || !trial_);
}

std::optional<Proposal> NodeSearch::next() {
  if (state_ == State::passes) return std::nullopt;
  if (state_ == State::phases) advance();
  if (asks_for_whole()) {
    return Proposal{.draft = std::make_shared<const edit::Selection>(edit::whole(*subject_)),
                    .pass = "whole",
                    .what = "the whole model",
                    .chance_to_fail = 0.95};
  }
  if (!trial_) return std::nullopt;
  return Proposal{.draft = std::make_shared<const edit::Selection>(select(*subject_, trial_->nodes)),
                  .pass = phases()[row_].name,
                  .what = trial_->what,
                  .chance_to_fail = trial_->chance};
}

void NodeSearch::learn(const Verdict& verdict) {
  const bool fails = verdict.kind == Verdict::Kind::fails;
  if (asks_for_whole()) {
    if (state_ == State::whole) found_.text = verdict.output;
    state_ = fails ? State::phases : State::passes;
    confirmed_ = fails;
    return;
  }
  if (!trial_) return;
  confirmed_ = confirmed_ || fails;
  passed_ += fails ? 0 : 1;
  if (fails) found_.best = std::make_shared<const Nodes>(std::move(trial_->nodes));
  trial_.reset();
  phase_->learn(verdict.kind);
}

}  // namespace assay::reduce
