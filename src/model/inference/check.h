// The official checker's verdict on a model.
#pragma once

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// Runs onnx::checker::check_model on the in-memory model, without reading weights by reference. `full` adds strict
// shape inference. Errors: invalid_input with the checker's own text.
base::Status check(const Model& model, bool full = false);

}  // namespace assay::model
