// Passes that remove nodes may use as many checks as they need. Those that only simplify share a budget, so that a
// reduction costs little more than a bisection. Passes that repeat the search for single nodes are skipped if the model
// hasn't changed since that search.
#include "reduce/search/simplify_search.h"

#include <algorithm>
#include <string>
#include <vector>

#include "reduce/candidates/count_nodes.h"

namespace assay::reduce {
namespace {

constexpr int kRounds = 4;
constexpr std::int64_t kFewNodes = 12;   // in bodies
constexpr std::size_t kRemembered = 64;  // cached proposals, each for a model and a pass

std::vector<std::string> bodies_as_text(const model::Model& model) {
  std::vector<std::string> texts;
  for (const onnx::NodeProto& node : model.graph().node()) {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) texts.push_back(attribute.g().SerializePartialAsString());
    }
  }
  return texts;
}

}  // namespace

struct SimplifySearch::Shared {
  using Changes = std::shared_ptr<const ChangeSearch::Start>;

  // Returns null if the pass finds nothing to change.
  const Changes& propose(const SharedModel& model, std::size_t pass) {
    if (proposed.size() > kRemembered) proposed.clear();
    const auto [at, is_new] = proposed.try_emplace({model, pass});
    if (is_new)
      at->second = propose_changes(passes()[pass], model, *options.values, options.thorough ? nullptr : options.fixed);
    return at->second;
  }

  Options options;
  std::map<std::pair<SharedModel, std::size_t>, Changes> proposed{};
};

SimplifySearch::SimplifySearch(Options options, Start start)
    : shared_(std::make_shared<Shared>(Shared{std::move(options)})), state_(std::move(start)) {}

bool SimplifySearch::is_worth_it() const {
  if (pass().runs_in != RunsIn::simplify || shared_->options.skip.contains(pass().name)) return false;
  if (!pass().repeats_search) return true;
  return pass().works_inside ? !has_searched_bodies() : state_.model != state_.searched;
}

// Returns whether the bodies are the same as when each of their nodes was tried, even if nodes around them have
// changed.
bool SimplifySearch::has_searched_bodies() const {
  if (!state_.searched_bodies) return false;
  return state_.model == state_.searched_bodies ||
         bodies_as_text(*state_.model) == bodies_as_text(*state_.searched_bodies);
}

// Passes that remove nodes have no limit: the claim about the result depends on them, and a smaller model saves checks
// later. Passes that simplify share the rest of the budget.
std::optional<int> SimplifySearch::allowance() const {
  if (shared_->options.thorough || pass().removes_nodes) return std::nullopt;
  const std::int64_t outer = state_.model->graph().node_size();
  const std::int64_t inside = count_all_nodes(*state_.model) - outer;
  if (pass().works_inside && inside > kFewNodes) return std::nullopt;
  return std::max(0, shared_->options.checks + static_cast<int>(outer) - state_.asked);
}

void SimplifySearch::begin_pass() {
  if (!is_worth_it()) return;
  left_ = allowance();
  if (left_ == 0) return;
  if (const Shared::Changes& changes = shared_->propose(state_.model, pass_)) {
    search_.emplace(pass().name, pass().chance, changes);
  } else if (pass().repeats_search && !pass().works_inside) {
    state_.searched = state_.model;
  }
}

void SimplifySearch::end_pass() {
  if (search_) {
    const bool fewer = count_all_nodes(*search_->model()) < count_all_nodes(*state_.model);
    changed_ = changed_ || (search_->changes_made() > 0 && fewer);
    state_.model = search_->model();
    search_.reset();
    if (pass().repeats_search && !pass().works_inside) state_.searched = state_.model;
  }
  if (++pass_ < passes().size()) return;
  pass_ = 0;
  round_ = std::exchange(changed_, false) ? round_ + 1 : kRounds;
}

std::optional<Proposal> SimplifySearch::next() {
  for (; round_ < kRounds; end_pass()) {
    if (!search_) begin_pass();
    if (!search_ || left_ == 0) continue;
    if (auto proposal = search_->next()) return proposal;
  }
  return std::nullopt;
}

void SimplifySearch::learn(const Verdict& verdict) {
  if (!search_) return;
  search_->learn(verdict);
  if (verdict.known) return;
  ++state_.asked;
  if (left_) --*left_;
}

}  // namespace assay::reduce
