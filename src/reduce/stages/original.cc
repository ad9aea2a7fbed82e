// If nothing fails, the possible reasons are tried one by one: the failure is flaky; it needs Constant nodes to be
// nodes, or inputs and weights that no node reads; it lies in how the file is written; the model doesn't fail at all.
#include <algorithm>
#include <utility>

#include "edit/build_candidate.h"
#include "reduce/stages.h"
#include "reduce/stages/search_nodes.h"
#include "reduce/stages/try_verbatim.h"

namespace assay::reduce {
namespace {

bool has_unread_tensors(const model::Model& model) {
  const model::GraphView view(model.graph());
  const auto is_unread = [&](const std::string& name) { return edit::is_unread(view, view.find(name)); };
  const onnx::GraphProto& graph = model.graph();
  return std::ranges::any_of(graph.input(), is_unread, [](const auto& input) { return input.name(); }) ||
         std::ranges::any_of(graph.initializer(), is_unread, [](const auto& weight) { return weight.name(); }) ||
         std::ranges::any_of(graph.sparse_initializer(), is_unread,
                             [](const auto& sparse) { return sparse.values().name(); });
}

}  // namespace

base::Expected<State> search_original(Reducer& reducer, State state) {
  base::Log& log = reducer.log();
  const auto search = [&](Constants constants) {
    reducer.count_constants(constants);
    return search_nodes(reducer, state, {.model = reducer.model(), .constants = constants});
  };
  // Returns whether another explanation should be tried.
  const auto is_unexplained = [&](const SearchedNodes& searched) { return !searched.fails && !reducer.hit_limit(); };
  ASSAY_ASSIGN(SearchedNodes searched, search(Constants::as_values));
  if (is_unexplained(searched)) {
    ASSAY_ASSIGN(const bool is_flaky, reducer.runs().detect_in_whole(searched.whole));
    if (is_flaky) {
      ASSAY_ASSIGN(searched, search(Constants::as_values));
    }
  }
  if (is_unexplained(searched) && searched.has_constants) {
    ASSAY_ASSIGN(searched, search(Constants::as_nodes));
    if (searched.fails) {
      log.info("The failure disappears if Constant nodes are written as initializers, so they were kept as nodes");
    } else {
      reducer.count_constants(Constants::as_values);
    }
  }
  if (is_unexplained(searched) && has_unread_tensors(*reducer.model())) {
    state.keep_unread = true;
    ASSAY_ASSIGN(searched, search(Constants::as_values));
    if (searched.fails) {
      log.info("The failure disappears if inputs and weights that no node reads are removed, so they were kept");
    }
  }
  if (is_unexplained(searched)) ASSAY_TRY(try_verbatim(reducer));
  return std::move(searched.state);
}

}  // namespace assay::reduce
