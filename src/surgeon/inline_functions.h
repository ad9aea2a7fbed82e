// Puts the nodes of a model's functions in the place of their calls.
#pragma once

#include "base/error.h"
#include "model/model.h"

namespace assay::surgeon {

// All calls, in bodies and of functions by functions too; the functions go. Results of calls keep their names, what is
// inside gets new ones. With ONNX's own inliner. Errors: invalid_input where it refuses the model, which is then
// unchanged.
base::Status inline_functions(model::Model& model);

}  // namespace assay::surgeon
