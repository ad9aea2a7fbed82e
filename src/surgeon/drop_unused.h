// Takes out what no output of the model needs.
#pragma once

#include "model/model.h"

namespace assay::surgeon {

// Nodes from which no graph output (of a body: no output of the body) can be reached, in the graph and in all bodies.
// Graph inputs stay. Gives the number of nodes that went, bodies included.
int drop_dead_nodes(model::Model& model);

// Initializers that no node and no output reads, in the graph and in all bodies; those that are also graph inputs go
// from both lists. Value infos of tensors that are not there any more go too. Gives the number of initializers.
int drop_unused_initializers(model::Model& model);

}  // namespace assay::surgeon
