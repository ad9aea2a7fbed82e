// Sorts nodes so that every tensor is produced before it is read.
#pragma once

#include "base/error.h"
#include "model/model.h"

namespace assay::surgeon {

// Sorts the graph and all bodies; a valid order stays as it is. Errors: invalid_input, naming a node on a cycle; the
// model is then unchanged except for bodies sorted before.
base::Status sort_nodes(model::Model& model);

}  // namespace assay::surgeon
