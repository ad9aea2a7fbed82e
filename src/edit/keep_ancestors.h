// Removes what no output needs.
#pragma once

#include "model/model.h"

namespace assay::edit {

// Removes nodes of the outer graph on which no output depends, and initializers, value_info and quantization
// annotations of tensors that are then unused. Inputs stay, used or not, with their default values, so that the same
// feeds fit. An output that no node produces stays as it is.
void keep_ancestors(model::Model& model);

}  // namespace assay::edit
