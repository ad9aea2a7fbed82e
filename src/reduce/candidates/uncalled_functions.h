// Finds out which local functions a model calls.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace assay::reduce {

// Returns the names of the local functions that neither a node of the graph or of its bodies nor another function
// calls.
std::vector<std::string> uncalled_functions(const model::Model& model);

// Returns the other local functions. The pointers lead into the model.
std::vector<const onnx::FunctionProto*> called_functions(const model::Model& model);

}  // namespace assay::reduce
