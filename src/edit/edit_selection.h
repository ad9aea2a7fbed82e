// Edits of a selection: a search says what to try, and needs no knowledge of how a graph is cut.
#pragma once

#include <vector>

#include "edit/selection.h"

namespace assay::edit {

// Both never add a node, and remove frozen values that are no longer needed. The result may have no nodes.

// Makes these tensors the outputs. Nodes that none of them needs are removed.
Selection with_outputs(const Subject& subject, const Selection& selection, const std::vector<TensorId>& tensors);

// Makes these tensors come from outside. Their producers are removed unless something else needs them. If the outputs
// can then still be reached from other inputs, past the cut, those branches are removed too: only what depends on the
// cut stays, and the tensors that it needs from the branches are on the boundary.
Selection cut_at(const Subject& subject, const Selection& selection, const std::vector<TensorId>& tensors);

}  // namespace assay::edit
