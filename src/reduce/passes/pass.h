// The passes that simplify the model that the search for nodes leaves. --list-passes, --passes and --skip-passes are
// derived from their table.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "edit/changes/model_change.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::reduce {

struct PassInput {
  const model::Model& model;      // fails
  const edit::ValueInfos& known;  // types and shapes of its tensors, as far as they can be inferred
  // Recorded values by tensor name, if there are any: for freezing tensors, and to choose the branch that was executed.
  const tensor::NamedTensors& values;
  // Propose only changes after which tensors that remain have the same values. Only a pass without `changes_values`
  // whose changes differ in this respect has to look at it.
  bool keeps_values = false;
};

enum class RunsIn {
  simplify,      // the stage that simplifies the result
  before_nodes,  // a search of its own before single nodes are removed (bypass_search.h)
  open_bodies,   // the stage that opens bodies: a body that replaces its node may have more nodes, which are searched
                 // again
};

struct Pass {
  std::string_view name;     // "bypass-nodes"
  std::string_view summary;  // one line for --list-passes
  // Proposes changes of which any subset can be applied, the most promising first; none if there is nothing to do. If a
  // subset leaves no node or no output (all nodes or outputs removed), that candidate needn't be tried. Null for
  // bypass-segments, whose changes aren't independent: SegmentSearch builds them.
  std::vector<edit::ModelChange> (*propose)(const PassInput& input);
  double chance = 0.5;  // estimate that one change succeeds; decides how many are tried at once
  // Makes the model shorter, not only simpler, so it may use as many checks as it needs.
  bool removes_nodes = false;
  // Removes nodes from bodies and functions: progress is counted in their nodes.
  bool works_inside = false;
  // Tensors that remain may have other values or names than in the whole model. A check that knows the values would
  // fail for this reason.
  bool changes_values = false;
  // Runs only on request, by name or with --thorough, because some users would miss what it changes.
  bool on_request = false;
  // Repeats what the search for nodes did, so it runs only if other passes have changed the model since.
  bool repeats_search = false;
  RunsIn runs_in = RunsIn::simplify;
};

// Returns all passes, in the order in which they run.
std::span<const Pass> passes();

}  // namespace assay::reduce
