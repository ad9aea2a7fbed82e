// Iterations are numbered from 0; iteration 0 is known to pass. If the second one passes and the last one fails, a
// bisection between them finds the first that fails.
#include "reduce/search/loop_search.h"

#include <algorithm>
#include <utility>

#include "reduce/candidates/bound_loops.h"

namespace assay::reduce {

LoopSearch::LoopSearch(const PassInput& input, LoopNode loop) : input_(input), loop_(std::move(loop)) {
  last_ = static_cast<int>(std::clamp(loop_.rounds.value_or(kRoundsIfUnknown), std::int64_t{0}, kMostRounds) - 1);
  step_ = last_ < 1 ? Step::ended : Step::second;
}

std::optional<int> LoopSearch::iteration() const {
  switch (step_) {
    case Step::second:
      return 1;
    case Step::last:
      return last_;
    case Step::between:
      return range_.next();
    case Step::ended:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Proposal> LoopSearch::next() {
  const std::optional<int> at = iteration();
  if (!at) return std::nullopt;
  if (!trial_) {
    const auto unrolled = unroll_to(input_, loop_.output, *at);
    edit::Applied applied = unrolled ? edit::apply(input_.model, {&unrolled->change}, input_.known) : edit::Applied{};
    if (applied.applied == 0) {
      step_ = Step::ended;
      return std::nullopt;
    }
    trial_ = std::make_shared<const model::Model>(std::move(applied.model));
    what_ = unrolled->change.what;
    before_ = unrolled->before;
  }
  return Proposal{.draft = trial_,
                  .pass = "unroll-loop",
                  .what = what_,
                  .chance_to_fail = step_ == Step::between ? range_.chance(*at) : 0.5};
}

void LoopSearch::learn(const Verdict& verdict) {
  const std::optional<int> at = iteration();
  if (!at) return;
  const bool fails = verdict.kind == Verdict::Kind::fails;
  if (fails) {
    found_ = trial_;
    found_before_ = before_;
    output_ = verdict.output;
  }
  trial_.reset();
  switch (step_) {
    case Step::second:
      step_ = fails || last_ == 1 ? Step::ended : Step::last;
      break;
    case Step::last:
      step_ = fails ? Step::between : Step::ended;
      range_ = DivideRange(1, last_);
      break;
    case Step::between:
      range_.learn(*at, verdict.kind);
      break;
    case Step::ended:
      break;
  }
}

}  // namespace assay::reduce
