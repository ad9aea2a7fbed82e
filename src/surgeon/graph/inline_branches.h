// Replaces an If whose condition is constant by the branch taken.
#pragma once

#include "model/model.h"

namespace assay::surgeon {

// Works in the graph and in all bodies. The nodes of the branch take the If's position; its tensors are renamed if
// their names are taken. Returns the number of Ifs replaced.
int inline_branches(model::Model& model);

}  // namespace assay::surgeon
