// The nodes that the growing phases find are searched as a model of their own. Its inputs are declared once, as in the
// failing candidate, rather than for each candidate's cut: otherwise the shapes of other tensors would change when one
// node is removed.
#include "reduce/stages/search_nodes.h"

#include <algorithm>

#include "edit/node_places.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/search/bypass_search.h"
#include "reduce/search/phases/phase.h"
#include "reduce/search/removals.h"
#include "reduce/search/try_model.h"
#include "reduce/stages/follow.h"

namespace assay::reduce {
namespace {

constexpr std::string_view kTakeOut = "nodes";  // the phase that works on what the others have found

Nodes nodes_of(const edit::Subject& subject, const NodeHandles& handles) {
  Nodes nodes;
  for (const edit::NodeId id : subject.nodes()) {
    const onnx::NodeProto& node = subject.view().node(id);
    if (handles.contains({node.op_type(), edit::name_of(node)})) nodes.push_back(id);
  }
  return nodes;
}

// Finds the same nodes in the model that was built from them, by their outputs.
Found translate(Found found, const edit::Subject& from, const edit::Subject& to) {
  Nodes around;
  for (const edit::NodeId node : found.around) {
    const auto outputs = from.view().outputs(node);
    const edit::TensorId made = outputs.empty() ? edit::kNone : to.view().find(from.view().name(outputs.front()));
    if (const edit::NodeId producer = to.view().producer(made); producer != edit::kNone) around.push_back(producer);
  }
  std::ranges::sort(around);
  found.around = std::move(around);
  found.best = std::make_shared<const Nodes>(to.nodes().begin(), to.nodes().end());
  return found;
}

std::set<std::string, std::less<>> skipped_phases(const Reducer& reducer, bool take_out) {
  std::set<std::string, std::less<>> skip = reducer.skipped();
  for (const PhaseRow& row : phases()) {
    if ((row.name == kTakeOut) != take_out) skip.emplace(row.name);
  }
  return skip;
}

// Returns the options for models that are derived from the original.
CandidateBuilder::Options derived_options(const Reducer& reducer, const State& state) {
  return reducer.builder_options(reducer.derived_reference(state.original), state.keep_unread);
}

// Removes nodes that keep type and shape in batches first, since removing single nodes costs a check for each.
base::Expected<SharedModel> bypass_many(Reducer& reducer, const SharedModel& model) {
  if (reducer.hit_limit()) return model;
  BypassSearch search({.skip = reducer.skipped(), .values = &reducer.parts().values}, model);
  ASSAY_TRY(reducer.run_models(search));
  return search.model();
}

// Prefers inputs of fixed sizes, so that the inputs that replace single nodes are declared as precisely as possible,
// unless there are bodies: which branch is taken, or how often a loop runs, may depend on the sizes. If single nodes
// aren't removed, that check would be wasted.
base::Expected<SharedModel> fix_sizes(Reducer& reducer, const SharedModel& model, const State& state) {
  const bool is_small = model->graph().node_size() < static_cast<int>(kFixedFrom);
  if (reducer.hit_limit() || reducer.skips(kTakeOut) || is_small) return model;
  if (all_input_sizes_known(*model) || !bodies_of(model->graph()).empty()) return model;
  CandidateBuilder builder(model, Constants::as_nodes, derived_options(reducer, state));
  ASSAY_ASSIGN(const SharedModel fixed, builder.build(edit::whole(builder.subject()), {.fixed_shapes = true}));
  if (!fixed) return model;
  TryModel search(
      {.draft = fixed, .pass = kTakeOut, .what = "the same nodes, with inputs of fixed sizes", .chance_to_fail = 0.9});
  ASSAY_TRY(reducer.run_models(search));
  return search.fails() ? fixed : model;
}

// `found` is what the growing phases know of `subject`.
base::Status take_out_nodes(Reducer& reducer, const SharedModel& model, const State& state,
                            const edit::Subject& subject, Found found, const NodeHandles& needed) {
  CandidateBuilder::Options options = derived_options(reducer, state);
  options.unknown_rank = UnknownRank::refuse;
  CandidateBuilder builder(model, Constants::as_nodes, options);
  if (builder.subject().nodes().size() < 2) return {};
  NodeSearch search(builder.subject(), skipped_phases(reducer, true), reducer.best().verdict.output);
  found = translate(std::move(found), subject, builder.subject());
  found.needed = nodes_of(builder.subject(), needed);
  found.is_bypassed = true;
  search.begin_with(std::move(found));
  return reducer.run_nodes(search, builder, follow_removal(reducer, state, builder));
}

}  // namespace

NodeHandles handles_of(const onnx::GraphProto& graph) {
  NodeHandles handles;
  for (const onnx::NodeProto& node : graph.node()) handles.emplace(node.op_type(), edit::name_of(node));
  return handles;
}

base::Expected<SearchedNodes> search_nodes(Reducer& reducer, State state, NodesToSearch nodes) {
  const bool is_original = nodes.model == reducer.model();
  const auto owner = std::make_shared<CandidateBuilder>(
      nodes.model, nodes.constants,
      is_original ? reducer.builder_options(reducer.parts().reference, state.keep_unread)
                  : derived_options(reducer, state));
  CandidateBuilder& builder = *owner;
  if (is_original) state.original = owner;
  SearchedNodes result{.state = std::move(state), .fails = false, .whole = nullptr};
  result.has_constants = builder.subject().has_constant_nodes();
  NodeSearch search(builder.subject(), skipped_phases(reducer, false), std::move(nodes.failed_as));
  const auto build_nodes = [&](edit::Selection selection) {
    return builder.build(std::make_shared<const edit::Selection>(std::move(selection)));
  };
  ASSAY_TRY(reducer.run_nodes(search, builder, follow_growth(reducer, result.state, builder)));
  if (!search.fails()) {
    ASSAY_ASSIGN(result.whole, build_nodes(edit::whole(builder.subject())));
    return result;
  }
  ASSAY_ASSIGN(SharedModel found, build_nodes(select(builder.subject(), search.best())));
  ASSAY_ASSIGN(found, fix_sizes(reducer, found, result.state));
  ASSAY_ASSIGN(found, bypass_many(reducer, found));
  if (!reducer.hit_limit() && !reducer.skips(kTakeOut)) {
    ASSAY_TRY(take_out_nodes(reducer, found, result.state, builder.subject(), search.found(), nodes.needed));
  }
  result.fails = true;
  result.state.searched = reducer.best().model;
  return result;
}

}  // namespace assay::reduce
