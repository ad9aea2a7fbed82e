// Removes nodes that are no longer needed because an output of a graph was removed.
#pragma once

#include "edit/changes/model_editor.h"

namespace assay::edit {

// Removes nodes whose outputs are all unread if the editor has released one of the outputs, and unread Constant nodes;
// then the nodes that only they needed. Tensors that become unread in this way are released, too.
void drop_released(ModelEditor& editor);

}  // namespace assay::edit
