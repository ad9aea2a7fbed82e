// Each phase searches the nodes of the selection with which it begins. The phase of the inputs starts from the smallest
// failing candidate of the phase of the outputs, the latest one if several have that size. A candidate's outputs
// (inputs) are those of one node; nodes that it doesn't need drop out.
#include "reduce/search/ends_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/at.h"
#include "edit/edit_selection.h"

namespace assay::reduce {
namespace {

constexpr double kHalf = 0.5;

}  // namespace

EndsSearch::EndsSearch(const edit::Subject& subject, const Options& options) : subject_(&subject), options_(options) {
  start_ = edit::whole(subject);
  start_ = edit::with_outputs(subject, start_, start_.outputs);  // drops nodes that no output needs
  begin(Phase::outputs);
}

// Begins the phase, or the next one that the options don't exclude.
void EndsSearch::begin(Phase phase) {
  if (phase == Phase::outputs && !options_.outputs) phase = Phase::inputs;
  if (phase == Phase::inputs) {
    if (found_) start_ = found_->selection;
    found_.reset();
    if (!options_.inputs) phase = Phase::ended;
  }
  if (phase == Phase::sides && (options_.outputs || !options_.freeze_cut || !found_)) phase = Phase::ended;
  phase_ = phase;
  if (phase == Phase::sides || phase == Phase::ended) return;
  iteration_ = 0;
  positions_.emplace(options_.order, static_cast<int>(start_.nodes.size()),
                     phase == Phase::outputs ? Toward::first : Toward::last);
}

std::shared_ptr<const CutSelection> EndsSearch::candidate() const {
  if (phase_ == Phase::sides) {
    CutSelection frozen = *found_;
    frozen.freeze_cut = true;
    return std::make_shared<const CutSelection>(std::move(frozen));
  }
  const edit::NodeId node = start_.nodes[base::at(*positions_->next())];
  CutSelection result{.selection = {}, .cut = {}, .limit = start_.nodes.size(), .freeze_cut = false};
  if (phase_ == Phase::outputs) {
    const auto outputs = subject_->view().outputs(node);
    result.selection = edit::with_outputs(*subject_, start_, {outputs.begin(), outputs.end()});
    return std::make_shared<const CutSelection>(std::move(result));
  }
  for (const edit::TensorId id : subject_->view().inputs(node)) {
    if (!subject_->is_constant(id)) result.cut.push_back(id);
  }
  result.selection = edit::cut_at(*subject_, start_, result.cut);
  return std::make_shared<const CutSelection>(std::move(result));
}

std::optional<Proposal> EndsSearch::next() {
  while (phase_ != Phase::ended && phase_ != Phase::sides && !positions_->next()) {
    begin(phase_ == Phase::outputs ? Phase::inputs : Phase::sides);
  }
  if (phase_ == Phase::ended) return std::nullopt;
  if (!trial_) trial_ = candidate();
  const std::string_view name = phase_ == Phase::outputs ? "outputs" : "inputs";
  std::string what = phase_ == Phase::sides ? "the other inputs frozen"
                                            : fmt::format("step {} of about {}", iteration_ + 1,
                                                          std::max(positions_->most_steps(), iteration_ + 1));
  return Proposal{.draft = trial_,
                  .pass = name,
                  .what = std::move(what),
                  .chance_to_fail = kHalf,
                  .iteration = Iteration{.number = iteration_, .phase = std::string(name)}};
}

void EndsSearch::learn(const Verdict& verdict) {
  if (!trial_) return;
  const bool fails = verdict.kind == Verdict::Kind::fails;
  const auto size = [](const CutSelection& cut) { return cut.selection.nodes.size(); };
  if (fails && (!found_ || size(*trial_) <= size(*found_))) found_ = std::move(trial_);
  trial_.reset();
  ++iteration_;
  if (phase_ == Phase::sides) {
    phase_ = Phase::ended;
  } else {
    positions_->learn(fails);
  }
}

}  // namespace assay::reduce
