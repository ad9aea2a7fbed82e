// Puts nodes in an order in which every tensor is made before it is read.
#pragma once

#include "base/error.h"
#include "model/model.h"

namespace assay::surgeon {

// In the graph and in all bodies; where the order of the file is good, it stays. Errors: invalid_input naming a node
// that lies on a cycle; the model is then unchanged but for bodies that were sorted before.
base::Status sort_nodes(model::Model& model);

}  // namespace assay::surgeon
