// Edits as data: a search says what to try, and needs no knowledge of how a graph is cut.
#pragma once

#include <variant>
#include <vector>

#include "edit/selection.h"

namespace assay::edit {

// Makes these tensors the outputs. Nodes that none of them needs are removed.
struct SetOutputs {
  std::vector<TensorId> tensors;
};

// Makes these tensors come from outside. Their producers are removed unless something else needs them. If the outputs
// can then still be reached from other inputs, past the cut, those branches are removed too: only what depends on the
// cut stays, and the tensors that it needs from the branches are on the boundary.
struct CutInputs {
  std::vector<TensorId> tensors;
};

using Edit = std::variant<SetOutputs, CutInputs>;

// Applies an edit. Never adds a node. Removes frozen values that are no longer needed. The result may have no nodes.
Selection apply(const Subject& subject, const Selection& selection, const Edit& edit);

}  // namespace assay::edit
