// Finds out whether an engine refuses a model because of its IR version or operator sets, or because of a node.
#pragma once

#include "model/model.h"

namespace assay::model {

// Returns a model of one Identity node with the IR version and the operator sets of `like`. Its input 'x' is a float32
// of shape (1,). If an engine refuses it, none of the nodes of `like` is to blame.
Model bare_model(const onnx::ModelProto& like);

}  // namespace assay::model
