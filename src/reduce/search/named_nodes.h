// Which nodes of a model does a check's output name?
#pragma once

#include <string>

#include "reduce/explore/node_sets.h"

namespace assay::reduce {

// Returns the nodes that the text names, or whose outputs it names, in ascending order; for a named constant, the nodes
// that read it. Outputs of the model don't count: a check names them because it compares them. Returns nothing if the
// text names more than a few nodes: then it describes the model, not a failure.
Nodes nodes_named_in(const edit::Subject& subject, const std::string& text);

}  // namespace assay::reduce
