// The official checker's verdict on a model.
#pragma once

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// Runs onnx::checker::check_model on the in-memory model, without reading weights by reference. Errors: invalid_input
// with the checker's own text.
base::Status check(const Model& model);

// Does the same, and then infers shapes strictly, as the checker does if it is asked for a full check.
base::Status full_check(const Model& model);

}  // namespace assay::model
