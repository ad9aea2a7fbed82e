// Builds a model from some nodes of a graph.
#pragma once

#include <map>
#include <span>

#include "model/graph_view.h"
#include "model/model.h"
#include "surgeon/graph/constants.h"
#include "tensor/tensor.h"

namespace assay::surgeon {

// Returns a model without inputs: the nodes, the constants that they read, and `known` results of other nodes as
// constants. Large weights stay references. Outputs are the wanted tensors, without types; engines infer those.
model::Model make_part(const model::Model& model, const model::GraphView& view, const Constants& constants,
                       std::span<const model::NodeId> nodes, std::span<const model::TensorId> wanted,
                       const std::map<model::TensorId, tensor::Tensor>& known);

// Returns the bytes of the constants that the node reads.
std::uint64_t constant_bytes(const model::GraphView& view, const Constants& constants, model::NodeId node);

}  // namespace assay::surgeon
