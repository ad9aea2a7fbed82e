// Which nodes of a model does a text speak of?
#pragma once

#include <string>

#include "reduce/verdicts/node_sets.h"

namespace assay::reduce {

// Nodes whose names stand in the text, or the names of what they make; for the name of a constant those that read it.
// Outputs of the model do not count: a check names those because it looks at them.
// Ascending. None where the text names more than a few: then it tells of the model, not of a failure.
Nodes nodes_named_in(const edit::Subject& subject, const std::string& text);

}  // namespace assay::reduce
