// Replaces calls of a model's functions by the functions' nodes.
#pragma once

#include "base/error.h"
#include "model/model.h"

namespace assay::surgeon {

// Inlines all calls, including those in bodies and of functions by functions, with ONNX's own inliner, and removes the
// functions. Results of calls keep their names; tensors inside get new ones. Errors: invalid_input if the inliner
// refuses the model, which is then unchanged.
base::Status inline_functions(model::Model& model);

}  // namespace assay::surgeon
