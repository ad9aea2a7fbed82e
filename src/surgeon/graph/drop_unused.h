// Removes what no output of the model needs.
#pragma once

#include "model/model.h"

namespace assay::surgeon {

// Removes nodes from which no output of their graph or body can be reached, in the graph and in all bodies. Graph
// inputs stay. Returns the number of nodes removed, including those in bodies.
int drop_dead_nodes(model::Model& model);

// Removes initializers that no node and no output reads, in the graph and in all bodies; those that are also graph
// inputs are removed from both lists. Also removes value infos of tensors that don't exist. Returns the number of
// initializers.
int drop_unused_initializers(model::Model& model);

}  // namespace assay::surgeon
