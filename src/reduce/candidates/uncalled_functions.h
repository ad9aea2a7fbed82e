// Finds local functions that a model contains but never calls.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace assay::reduce {

// Returns the names of the local functions that neither a node of the graph or of its bodies nor another function
// calls.
std::vector<std::string> uncalled_functions(const model::Model& model);

}  // namespace assay::reduce
