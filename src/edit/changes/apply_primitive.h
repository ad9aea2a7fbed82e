// The two operations on each primitive: check that what it names exists, and perform it.
#pragma once

#include "edit/changes/model_change.h"
#include "edit/changes/model_editor.h"

namespace assay::edit {

// Returns false if the model doesn't contain (or no longer contains) what the primitive names.
bool finds(ModelEditor& editor, const Primitive& primitive);
// Performs the primitive. Does nothing if another primitive of the same change removed what this one names.
void perform(ModelEditor& editor, const Primitive& primitive);

}  // namespace assay::edit
