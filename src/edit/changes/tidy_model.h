// Tidies a model after changes removed parts of it.
#pragma once

#include <set>

#include "edit/changes/model_editor.h"

namespace assay::edit {

// Performs the tidying that apply() (model_change.h) describes. Returns the changes to blame if something is missing
// that tidying can't supply; the model is then unusable. Returns an empty set on success.
std::set<int> tidy(ModelEditor& editor, const ValueInfos& known);

}  // namespace assay::edit
