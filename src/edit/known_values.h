// What is known of the tensors of a model, bodies included.
#pragma once

#include "edit/model_change.h"

namespace assay::edit {

// Types and shapes that the model declares, completed by ONNX's inference; where that fails, what is declared. Names
// that stand for tensors of different types in different graphs are left out.
KnownValues known_values(const model::Model& model);

}  // namespace assay::edit
