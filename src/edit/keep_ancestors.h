// Removes what no output needs.
#pragma once

#include "model/model.h"

namespace assay::edit {

// Removes nodes of the outer graph on which no output depends, and initializers and value_info that are then unused.
// Inputs stay, used or not, so that the same feeds fit. An output that no node produces stays as it is.
void keep_ancestors(model::Model& model);

}  // namespace assay::edit
