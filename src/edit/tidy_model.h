// What has to follow when parts of a model went.
#pragma once

#include <set>

#include "edit/model_editor.h"

namespace assay::edit {

// See apply(). Gives the changes that leave something undone that tidying cannot make good, and then the model in a
// state that is of no use; empty: all is well. Blames the changes that took away what is missing.
std::set<int> tidy(ModelEditor& editor, const KnownValues& known);

}  // namespace assay::edit
