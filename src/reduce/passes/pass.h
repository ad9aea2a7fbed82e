// The passes that simplify what is left, one table: --list-passes, --passes and --skip-passes are made from it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "edit/model_change.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::reduce {

struct PassInput {
  const model::Model& model;       // fails
  const edit::KnownValues& known;  // types and shapes of its tensors, as far as they can be inferred
  // Recorded values by tensor name, where there are any. For freezing, and for taking the branch that was taken.
  const tensor::NamedTensors& values;
};

struct Pass {
  std::string_view name;     // "bypass-nodes"
  std::string_view summary;  // one line for --list-passes
  // Proposes changes that can be applied in any subset, the most promising first; none where there is nothing to do.
  // A subset may leave no node at all (all outputs dropped, all nodes removed): that candidate need not be tried.
  std::vector<edit::ModelChange> (*propose)(const PassInput& input);
  double chance = 0.5;   // that one change is possible; a guess, for how many are tried at once
  int least_checks = 0;  // that it may take in any case
  // What this pass finds makes the model shorter, not only simpler: it may take all checks that it needs.
  bool removes_nodes = false;
  // Takes nodes out of bodies and functions: the nodes that count are theirs.
  bool works_inside = false;
  // Runs only where it is asked for, by name or by --thorough: what it changes, some would miss.
  bool on_request = false;
  // Does what the search for nodes has done already: it runs only where other passes have changed the model since.
  bool repeats_search = false;
  // Runs only before single nodes are taken out, by a search of its own (bypass_search.h).
  bool before_nodes = false;
  // The nodes of the result may be more than before (a body that takes its node's place): they are searched again.
  bool opens_bodies = false;
};

// In the order in which they run.
std::span<const Pass> passes();

}  // namespace assay::reduce
