// Replaces an If whose condition is constant by the branch that it takes.
#pragma once

#include "model/model.h"

namespace assay::surgeon {

// In the graph and in all bodies. The nodes of the branch take the If's place; its tensors get other names where theirs
// are taken. Gives the number of Ifs that went.
int inline_branches(model::Model& model);

}  // namespace assay::surgeon
