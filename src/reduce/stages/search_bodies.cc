// Bodies that have to stay where they are: each is searched like a graph, and each candidate is put back into
// its node.
#include <algorithm>
#include <utility>
#include <vector>

#include "edit/changes/known_value_infos.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/body_model.h"
#include "reduce/stages.h"

namespace assay::reduce {
namespace {

using Path = std::vector<std::size_t>;  // which body of the graph, which of that, and so on

std::vector<BodyModel> bodies_at(const Reducer& reducer, const Path& path) {
  const model::Model& model = *reducer.best().model;
  std::vector<BodyModel> bodies = BodyModel::find(model, edit::known_value_infos(model));
  for (const std::size_t number : path) {
    if (number >= bodies.size()) return {};
    bodies = BodyModel::find_inside(std::make_shared<const BodyModel>(std::move(bodies[number])));
  }
  return bodies;
}

// Returns whether the body was searched.
base::Expected<bool> search_body(Reducer& reducer, const State& state, const BodyModel& body) {
  if (body.body().graph().node_size() < 2) return false;
  // The reference knows the inputs of the model, not those of a body.
  CandidateBuilder::Options options = reducer.builder_options({}, state.keep_unread);
  options.passed_through = false;
  CandidateBuilder builder(std::make_shared<const model::Model>(body.body()), Constants::as_values, options);
  NodeSearch search(builder.subject(), reducer.skipped(), reducer.best().verdict.output);
  const auto build = [&](const Draft& draft) -> base::Expected<SharedModel> {
    ASSAY_ASSIGN(const SharedModel candidate, builder.build(draft));
    auto wrapped = body.wrap(*candidate);
    return wrapped ? std::make_shared<const model::Model>(*std::move(wrapped)) : nullptr;
  };
  ASSAY_TRY(reducer.run_body_nodes(search, builder, build));
  return search.fails();
}

// Searches the bodies inside a body, an outer one before those inside of what remains of it. They are taken from the
// last to the first: a search changes nothing that comes before its body. Returns the number of bodies searched.
base::Expected<int> search_all(Reducer& reducer, const State& state, const Path& path) {
  int searched = 0;
  for (std::size_t left = bodies_at(reducer, path).size(); left > 0 && !reducer.hit_limit(); --left) {
    const std::vector<BodyModel> bodies = bodies_at(reducer, path);
    if (bodies.size() < left) return searched;
    ASSAY_ASSIGN(const bool fails, search_body(reducer, state, bodies[left - 1]));
    Path inside = path;
    inside.push_back(left - 1);
    ASSAY_ASSIGN(const int inner, search_all(reducer, state, inside));
    searched += (fails ? 1 : 0) + inner;
  }
  return searched;
}

}  // namespace

base::Expected<State> search_bodies(Reducer& reducer, State state) {
  if (reducer.keeps_values()) return state;  // nothing knows the values inside a body
  ASSAY_ASSIGN(const int searched, search_all(reducer, state, {}));
  const SharedModel& model = reducer.best().model;
  const auto worth_it =
      std::ranges::count_if(bodies_of(model->graph()), [](const Place& body) { return body.graph->node_size() > 1; });
  if (searched == 0 || searched < worth_it) return state;
  state.searched_bodies = model;
  if (model->graph().node_size() == 1) state.searched = model;
  return state;
}

}  // namespace assay::reduce
