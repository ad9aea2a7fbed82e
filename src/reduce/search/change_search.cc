// A trial is built from the initial model with all changes applied so far and the new ones, not from the best model:
// changes are proposed for the initial model, and refer to its tensors and nodes.
#include "reduce/search/change_search.h"

#include <fmt/format.h>

#include <utility>

#include "base/at.h"
#include "edit/changes/known_value_infos.h"
#include "model/inference/check.h"
#include "reduce/candidates/bound_loops.h"
#include "reduce/passes/dimensions/fixed_inputs.h"
#include "reduce/search/single_change.h"

namespace assay::reduce {
namespace {

using base::at;

DeltaDebugging begin(std::size_t count, double chance) {
  DeltaDebugging search(std::vector<double>(count, 1 - chance));
  search.allow_empty();
  search.all_first();
  return search;
}

}  // namespace

ChangeSearch::ChangeSearch(std::string_view pass, double chance, std::shared_ptr<const Start> start)
    : pass_(pass), start_(std::move(start)), search_(begin(start_->changes.size(), chance)), best_(start_->model) {}

// Returns all changes of a trial: those applied before, and those that it adds.
std::vector<const edit::ModelChange*> ChangeSearch::chosen() const {
  const std::vector<bool> applied = search_.removed_in_trial();
  std::vector<const edit::ModelChange*> result;
  for (std::size_t i = 0; i < applied.size(); ++i) {
    if (applied[i]) result.push_back(&start_->changes[i]);
  }
  return result;
}

std::vector<const edit::ModelChange*> ChangeSearch::refused() const {
  std::vector<const edit::ModelChange*> result;
  for (const int i : search_.remaining()) result.push_back(&start_->changes[at(i)]);
  return result;
}

std::optional<Proposal> ChangeSearch::next() {
  while (!search_.next().empty()) {
    const std::vector<int>& added = search_.next();
    if (!trial_) {
      edit::Applied applied = edit::apply(*start_->model, chosen(), start_->known);
      // Needs no check: the added changes have no effect here, or no node or output would remain.
      if (applied.applied <= made_ || is_emptied(*start_->model, applied.model)) {
        search_.learn(false);
        continue;
      }
      bound_loops(*start_->model, start_->known, applied.model);
      if (start_->stays_valid && !model::full_check(applied.model)) {
        search_.learn(false);
        continue;
      }
      trial_made_ = applied.applied;
      trial_ = std::make_shared<const model::Model>(std::move(applied.model));
    }
    const std::string& first = start_->changes[at(added.front())].what;
    return Proposal{.draft = trial_,
                    .pass = pass_,
                    .what = added.size() == 1 ? first : fmt::format("{} changes, for example: {}", added.size(), first),
                    .chance_to_fail = search_.chance()};
  }
  return std::nullopt;
}

void ChangeSearch::learn(const Verdict& verdict) {
  if (search_.next().empty()) return;
  const bool fails = verdict.kind == Verdict::Kind::fails;
  if (fails) {
    best_ = trial_;
    made_ = trial_made_;
  }
  search_.learn(fails);
  trial_.reset();
}

std::shared_ptr<const ChangeSearch::Start> propose_changes(const Pass& pass, SharedModel model,
                                                           const tensor::NamedTensors& values, const InputShapes* fixed,
                                                           const WantedChange& wanted, bool keeps_values) {
  ChangeSearch::Start start{.model = std::move(model), .changes = {}, .known = {}};
  start.known = edit::known_value_infos(*start.model);
  start.changes =
      pass.propose({.model = *start.model, .known = start.known, .values = values, .keeps_values = keeps_values});
  if (wanted) std::erase_if(start.changes, [&](const edit::ModelChange& change) { return !wanted(change); });
  if (fixed != nullptr) keep_fixed_inputs(*start.model, *fixed, start.changes);
  if (start.changes.empty()) return nullptr;
  // Shapes that ONNX infers after a node is removed may differ from those that are declared, although engines run the
  // model. So what removes nodes is always tried.
  const bool only_simplifies = pass.runs_in == RunsIn::simplify && !pass.removes_nodes;
  start.stays_valid = only_simplifies && model::full_check(*start.model).has_value();
  return std::make_shared<const ChangeSearch::Start>(std::move(start));
}

}  // namespace assay::reduce
