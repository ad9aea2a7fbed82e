// Nodes of the graph come first: once one is replaced by its body, those inside it are nodes of the graph, too.
//
// A body that takes its node's place makes the graph larger and, once its nodes were searched, the model smaller. If it
// doesn't, the model is left as it was.
#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "edit/changes/known_value_infos.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/pass.h"
#include "reduce/search/loop_search.h"
#include "reduce/stages.h"
#include "reduce/stages/search_nodes.h"

namespace assay::reduce {
namespace {

bool is_untried(const State& state, const edit::ModelChange& change) {
  return !state.tried_openings.contains(change.what);
}

// Returns the best model with all bodies opened that can be while it fails; null if none can. Refused changes aren't
// tried again: later searches remove only nodes that the failure doesn't need.
base::Expected<SharedModel> open_all(Reducer& reducer, State& state, const WantedChange& wanted) {
  SharedModel opened;
  for (const Pass& pass : passes()) {
    if (pass.runs_in != RunsIn::open_bodies || reducer.hit_limit()) continue;
    const SharedModel model = opened ? opened : reducer.best().model;
    std::optional<ChangeSearch> search = reducer.changes_of(pass, model, wanted);
    if (!search) continue;
    ASSAY_TRY(reducer.run_models(*search));
    for (const edit::ModelChange* refused : search->refused()) state.tried_openings.insert(refused->what);
    if (search->changes_made() > 0) opened = search->model();
  }
  return opened;
}

// Searches Loops whose first iteration alone passes. Returns true if that led to fewer nodes.
base::Expected<bool> open_later_iterations(Reducer& reducer, State& state) {
  if (reducer.skips("unroll-loop")) return false;
  const std::int64_t nodes = reducer.best().nodes;
  const SharedModel model = reducer.best().model;
  const edit::ValueInfos known = edit::known_value_infos(*model);
  const tensor::NamedTensors& values = reducer.parts().values;
  const PassInput input{.model = *model, .known = known, .values = values};
  for (const LoopNode& loop : loops_of(input)) {
    if (!state.tried_loops.insert(loop.output).second || reducer.hit_limit()) continue;
    LoopSearch search(input, loop);
    ASSAY_TRY(reducer.run_models(search));
    if (search.found() == nullptr || reducer.hit_limit()) continue;
    state.tried_loops.insert(search.found_before());  // none of its iterations fails
    ASSAY_ASSIGN(SearchedNodes searched,
                 search_nodes(reducer, std::move(state), {.model = search.found(), .failed_as = search.output()}));
    state = std::move(searched.state);
    if (reducer.best().nodes < nodes) return true;
  }
  return false;
}

}  // namespace

WantedChange opens_in_graph(const State& state) {
  return [&state](const edit::ModelChange& change) {
    const auto is_inside = [](const edit::Primitive& primitive) {
      const auto* replaced = std::get_if<edit::ReplaceNode>(&primitive);
      return replaced != nullptr && !replaced->node.graph.steps.empty();
    };
    return is_untried(state, change) && std::ranges::none_of(change.primitives, is_inside);
  };
}

base::Expected<State> open_bodies(Reducer& reducer, State state) {
  for (bool is_smaller = true; is_smaller && !reducer.hit_limit();) {
    const std::int64_t nodes = reducer.best().nodes;
    NodeHandles before = handles_of(reducer.best().model->graph());
    ASSAY_ASSIGN(SharedModel opened, open_all(reducer, state, opens_in_graph(state)));
    if (!opened) {
      ASSAY_ASSIGN(
          opened, open_all(reducer, state, [&](const edit::ModelChange& change) { return is_untried(state, change); }));
    }
    if (opened && !reducer.hit_limit()) {
      NodesToSearch search{.model = opened, .failed_as = reducer.best().verdict.output, .needed = std::move(before)};
      ASSAY_ASSIGN(SearchedNodes searched, search_nodes(reducer, std::move(state), std::move(search)));
      state = std::move(searched.state);
    }
    is_smaller = reducer.best().nodes < nodes;
    if (!is_smaller && !reducer.hit_limit()) {
      ASSAY_ASSIGN(is_smaller, open_later_iterations(reducer, state));
    }
  }
  return state;
}

}  // namespace assay::reduce
