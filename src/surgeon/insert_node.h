// Inserts one node into the graph of a model.
#pragma once

#include <onnx/onnx_pb.h>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"

namespace assay::surgeon {

// Inserts `node`, whose inputs and outputs name tensors of the graph. An empty input is an omitted one.
//
// - An output that isn't an input of the node replaces the tensor of that name: the node computes it from now on.
// - An output that is also an input goes in between: what read the tensor, bodies included, reads a new tensor
//   NAME_polygraphy_surgeon_insert_output, which the node computes. If NAME is an output of the model, it stays so and
//   is computed by the node, and the node's input gets the new name.
//
// The replaced tensor's declared type and shape stay. Nodes are sorted, if they have to be, so that each comes after
// its inputs. Nodes and initializers that no output needs are removed, as Polygraphy does.
//
// Warns if the node doesn't take the types and shapes of its inputs, or others those of its outputs, or if another node
// has its name: further edits may correct that.
//
// Errors: not_found for a name that the graph doesn't have; invalid_input if an output is given twice, if it is an
// input of the model that the node doesn't read or that is an output of the model as well, if the operator has no name,
// or if the graph has a cycle or would get one. The model may then be changed.
base::Status insert_node(model::Model& model, onnx::NodeProto node, base::Log& log);

}  // namespace assay::surgeon
