#include "reduce/stages/follow.h"

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "reduce/candidates/body_graphs.h"
#include "reduce/explore/further_runs.h"
#include "reduce/passes/pass.h"
#include "reduce/search/bypass_search.h"
#include "reduce/search/node_search.h"
#include "reduce/search/removals.h"

namespace assay::reduce {
namespace {

// Looking ahead asks for the same searches again and again. So each is created once for its input (the key), then
// copied.
template <class Key>
class Cache {
 public:
  template <class Create>
  std::unique_ptr<Strategy> get(const Key& key, const Create& create) {
    const auto [at, is_new] = made_->try_emplace(key);
    if (is_new) at->second = create();
    return at->second ? at->second->clone() : nullptr;
  }

 private:
  std::shared_ptr<std::map<Key, std::unique_ptr<Strategy>>> made_ =
      std::make_shared<std::map<Key, std::unique_ptr<Strategy>>>();
};

Draft best_of(const NodeSearch& search, const CandidateBuilder& builder) {
  return std::make_shared<const edit::Selection>(select(builder.subject(), search.best()));
}

SharedModel build_best(const NodeSearch& search, CandidateBuilder& builder) {
  const auto model = builder.build(best_of(search, builder));
  return model ? *model : nullptr;
}

// Returns false if what follows can't be predicted.
bool can_follow(const NodeSearch& search, const CandidateBuilder& builder) {
  return search.fails() && !builder.takes_long(best_of(search, builder));
}

// Returns the search after that for the nodes of the outer graph: it opens bodies, or passes simplify the result.
std::unique_ptr<Strategy> after_nodes(const Reducer& reducer, const State& state, const SharedModel& model) {
  if (!model) return nullptr;
  for (const Pass& pass : passes()) {
    if (pass.runs_in != RunsIn::open_bodies) continue;
    if (auto search = reducer.changes_of(pass, model, opens_in_graph(state))) {
      return std::make_unique<ChangeSearch>(*std::move(search));
    }
  }
  if (!bodies_of(model->graph()).empty()) return nullptr;
  State searched = state;
  searched.searched = model;
  return std::make_unique<SimplifySearch>(simplification(reducer, model, searched));
}

Follow next_after_nodes(const Reducer& reducer, const State& state, CandidateBuilder& builder) {
  return
      [&reducer, &builder, state, cache = Cache<Nodes>()](const Strategy& ended) mutable -> std::unique_ptr<Strategy> {
        const auto& search = static_cast<const NodeSearch&>(ended);
        if (!can_follow(search, builder)) return nullptr;
        return cache.get(search.best(), [&] { return after_nodes(reducer, state, build_best(search, builder)); });
      };
}

Follow last_look_after(const Reducer& reducer, const State& state) {
  return [&reducer, state, cache = Cache<SharedModel>()](const Strategy& ended) mutable -> std::unique_ptr<Strategy> {
    const auto* simplified = dynamic_cast<const SimplifySearch*>(&ended);
    if (simplified == nullptr || reducer.skips(kVerify)) return nullptr;
    const SharedModel& model = simplified->model();
    return cache.get(model, [&] { return std::make_unique<LastLook>(last_look(reducer, state, model)); });
  };
}

Follow further_runs_after(const Reducer& reducer, int first_run) {
  return [&reducer, first_run](const Strategy& ended) -> std::unique_ptr<Strategy> {
    const auto* look = dynamic_cast<const LastLook*>(&ended);
    if (look == nullptr) return nullptr;
    return std::make_unique<FurtherRuns>(look->model(), first_run, reducer.runs().confirmations());
  };
}

// Adds the last look and the search after it.
std::vector<Follow> before_last(std::vector<Follow> follow, const Reducer& reducer, const State& state) {
  follow.push_back(last_look_after(reducer, state));
  follow.push_back(further_runs_after(reducer, reducer.runs().next_run() + kRunsOfLastLook));
  return follow;
}

}  // namespace

// After the growing phases, many nodes are bypassed at once, unless a single node is left.
std::vector<Follow> follow_growth(const Reducer& reducer, const State& state, CandidateBuilder& builder) {
  const Follow after_growth = [&reducer, &builder, next = next_after_nodes(reducer, state, builder),
                               cache = Cache<Nodes>()](const Strategy& ended) mutable -> std::unique_ptr<Strategy> {
    const auto& search = static_cast<const NodeSearch&>(ended);
    if (!can_follow(search, builder)) return nullptr;
    if (search.best().size() < 2) return next(ended);
    return cache.get(search.best(), [&]() -> std::unique_ptr<Strategy> {
      const SharedModel model = build_best(search, builder);
      if (!model) return nullptr;
      return std::make_unique<BypassSearch>(
          BypassSearch::Options{.skip = reducer.skipped(), .values = &reducer.parts().values}, model);
    });
  };
  return before_last({after_growth}, reducer, state);
}

std::vector<Follow> follow_removal(const Reducer& reducer, const State& state, CandidateBuilder& builder) {
  return before_last({next_after_nodes(reducer, state, builder)}, reducer, state);
}

std::vector<Follow> follow_passes(const Reducer& reducer, const State& state) {
  return before_last({}, reducer, state);
}

std::vector<Follow> follow_last_look(const Reducer& reducer, int first_run) {
  return {further_runs_after(reducer, first_run)};
}

SimplifySearch simplification(const Reducer& reducer, SharedModel model, const State& state) {
  const auto nodes = static_cast<std::uint64_t>(reducer.result().nodes_before);
  const int bisection = static_cast<int>(std::bit_width(nodes));
  return SimplifySearch({.skip = reducer.skipped(),
                         .thorough = reducer.options().thorough,
                         .values = &reducer.parts().values,
                         .fixed = &reducer.options().fixed_inputs,
                         .checks = bisection + 1},
                        {.model = std::move(model),
                         .searched = state.searched,
                         .searched_bodies = state.searched_bodies,
                         .asked = reducer.explorer().counts().asked()});
}

LastLook last_look(const Reducer& reducer, const State& state, const SharedModel& model) {
  const auto list = [&reducer, reference = reducer.derived_reference(state.original),
                     unread = state.keep_unread](const SharedModel& of) {
    return std::make_shared<Removals>(of, reducer.builder_options(reference, unread), reducer.parts().values,
                                      reducer.constants(), reducer.keeps_values());
  };
  return {model, list, {.runs_again = !reducer.runs().repeats(), .first_run = reducer.runs().next_run()}};
}

}  // namespace assay::reduce
