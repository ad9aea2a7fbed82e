// One small pair of functions for each primitive: what it names is there, and do it.
#pragma once

#include "edit/model_change.h"
#include "edit/model_editor.h"

namespace assay::edit {

// False where what the primitive names is not in the model (any more).
bool finds(ModelEditor& editor, const Primitive& primitive);
// Does nothing where another primitive of the same change took away what this one names.
void perform(ModelEditor& editor, const Primitive& primitive);

}  // namespace assay::edit
