// The official checker's verdict on a model.
#pragma once

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// onnx::checker::check_model on the model as it is in memory (weights by reference are not read). The error carries the
// checker's own text. `full` adds strict shape inference.
base::Status check(const Model& model, bool full = false);

}  // namespace assay::model
