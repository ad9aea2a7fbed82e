// Takes away what no output needs.
#pragma once

#include "model/model.h"

namespace assay::edit {

// Removes nodes of the outer graph that no output depends on, and initializers and value_info that then nobody uses.
// Inputs stay, used or not, so that the same feeds fit. An output that nothing makes is left as it is.
void keep_ancestors(model::Model& model);

}  // namespace assay::edit
