// Edits as data: a search says what to try, and knows nothing of how a graph is cut.
#pragma once

#include <variant>
#include <vector>

#include "edit/selection.h"

namespace assay::edit {

// These tensors become the outputs. Nodes that none of them needs go.
struct SetOutputs {
  std::vector<TensorId> tensors;
};

// These tensors come from outside. What made them goes, where nothing else needs it. Where the outputs can then still
// be reached from other inputs, past the cut, those branches go too: only what depends on the cut stays, and what it
// needs from the branches is on the boundary.
struct CutInputs {
  std::vector<TensorId> tensors;
};

using Edit = std::variant<SetOutputs, CutInputs>;

// Never adds a node. Frozen values that nothing needs any more go. The result has no nodes where nothing is left.
Selection apply(const Subject& subject, const Selection& selection, const Edit& edit);

}  // namespace assay::edit
