// Nodes that are needed no more because an output of a graph went.
#pragma once

#include "edit/model_editor.h"

namespace assay::edit {

// Takes out nodes all of whose outputs are unread, where the editor has released one of them, and Constant nodes that
// are not read any more; then what only they needed. Tensors that went unread in this way are released too.
void drop_released(ModelEditor& editor);

}  // namespace assay::edit
