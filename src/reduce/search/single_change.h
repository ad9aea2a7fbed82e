// Changes that remove a single node.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "edit/changes/model_change.h"
#include "model/model.h"
#include "reduce/explore/strategy.h"

namespace assay::reduce {

// Returns the position in `nodes` of the node that a change removes or replaces; nullopt if it is none of them.
std::optional<std::size_t> position_of_removed(const edit::ModelChange& change,
                                               const std::vector<edit::NodeRef>& nodes);

// Returns whether changes have removed all nodes, or all outputs: no engine runs such a model.
bool is_emptied(const model::Model& before, const model::Model& after);

// Returns the model with this change alone; null if it doesn't apply or empties the model.
SharedModel apply_alone(const model::Model& model, const edit::ModelChange& change, const edit::ValueInfos& known);

}  // namespace assay::reduce
