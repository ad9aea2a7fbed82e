// Rules about the types and shapes that a model declares for its tensors.
#pragma once

#include "lint/report.h"
#include "model/model.h"

namespace assay::lint {

// Adds the declarations that the standard doesn't allow, of inputs, outputs and other tensors, in bodies too: element
// types that don't exist, which no engine loads, and negative sizes, which engines take for unknown ones (a warning).
// ONNX's checker overlooks most of them.
void check_declarations(const model::Model& model, Report& report);

}  // namespace assay::lint
