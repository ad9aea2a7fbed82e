// The steps run in the order of cost: each ends after a small number of checks in a row that don't fail, and a check
// that fails resets that number. How many are allowed depends on the size of the model: with few nodes, removing them
// one by one costs little more.
#include "reduce/search/bypass_search.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace assay::reduce {
namespace {

// Probabilities that one node can be removed. They are so high that sets are tried first, and these grow as long as
// trials succeed.
constexpr double kNeutral = 0.9;
constexpr double kCanGo = 0.75;
constexpr int kNeutralInVain = 2;
constexpr int kNodesInVain = 2;
constexpr int kInVainIfFew = 1;  // for nodes and for segments, in models of fewer than kFew nodes
constexpr int kFew = 16;
constexpr int kLongPath = 5;  // nodes; it's cheaper to remove fewer one by one

}  // namespace

BypassSearch::BypassSearch(Options options, SharedModel model)
    : options_(std::make_shared<const Options>(std::move(options))), model_(std::move(model)) {
  begin_step();
}

const SharedModel& BypassSearch::model() const {
  return changes_ ? changes_->model() : segments_ ? segments_->model() : model_;
}

void BypassSearch::begin_changes(std::string_view name, double chance) {
  const auto pass = std::ranges::find(passes(), name, &Pass::name);
  if (options_->skip.contains(name)) return;
  if (auto changes = propose_changes(*pass, model_, *options_->values)) {
    changes_.emplace(pass->name, chance, std::move(changes));
  }
}

void BypassSearch::begin_step() {
  in_vain_ = 0;
  const int nodes = model_->graph().node_size();
  const bool is_long = nodes >= kLongPath;
  const bool are_few = nodes < kFew;
  if (step_ == Step::neutral) {
    allowed_ = kNeutralInVain;
    begin_changes("bypass-neutral-nodes", kNeutral);
  } else if (step_ == Step::segments && is_long && !options_->skip.contains("bypass-segments")) {
    allowed_ = are_few ? kInVainIfFew : static_cast<int>(std::bit_width(static_cast<unsigned>(nodes)));
    if (auto start = SegmentSearch::prepare(model_, *options_->values)) segments_.emplace(std::move(start));
  } else if (step_ == Step::nodes && is_long) {
    allowed_ = are_few ? kInVainIfFew : kNodesInVain;
    begin_changes("bypass-nodes", kCanGo);
  }
}

void BypassSearch::end_step() {
  model_ = model();
  changes_.reset();
  segments_.reset();
  step_ = static_cast<Step>(static_cast<int>(step_) + 1);
  begin_step();
}

std::optional<Proposal> BypassSearch::next() {
  for (; step_ != Step::ended; end_step()) {
    if (in_vain_ >= allowed_) continue;
    if (changes_) {
      if (auto proposal = changes_->next()) return proposal;
    } else if (segments_) {
      if (auto proposal = segments_->next()) return proposal;
    }
  }
  return std::nullopt;
}

void BypassSearch::learn(const Verdict& verdict) {
  if (changes_) changes_->learn(verdict);
  if (segments_) segments_->learn(verdict);
  in_vain_ = verdict.kind == Verdict::Kind::fails ? 0 : in_vain_ + 1;
}

}  // namespace assay::reduce
