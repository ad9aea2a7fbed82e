// Replaces an If whose condition is constant by the branch taken.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace assay::surgeon {

// Works in the graph and in all bodies. The nodes of the branch take the If's position; its tensors and nodes are
// renamed if their names are taken. Returns the condition of each If that was replaced.
std::vector<std::string> inline_branches(model::Model& model);

}  // namespace assay::surgeon
