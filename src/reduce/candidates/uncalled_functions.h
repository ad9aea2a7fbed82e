// Finds out which local functions a model calls.
#pragma once

#include <vector>

#include "model/model.h"

namespace assay::reduce {

// Return the local functions that a node of the graph, of its bodies or of another such function calls, and the others.
// The pointers lead into the model.
std::vector<const onnx::FunctionProto*> called_functions(const model::Model& model);
std::vector<const onnx::FunctionProto*> uncalled_functions(const model::Model& model);

}  // namespace assay::reduce
