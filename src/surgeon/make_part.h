// Some nodes of a graph as a model of their own.
#pragma once

#include <map>
#include <span>

#include "model/graph_view.h"
#include "model/model.h"
#include "surgeon/constants.h"
#include "tensor/tensor.h"

namespace assay::surgeon {

// A model without inputs: the nodes, the constants that they read, and `known` results of other nodes as constants too.
// Large weights stay where they lie. Outputs are the wanted tensors, without types: engines find those themselves.
model::Model make_part(const model::Model& model, const model::GraphView& view, const Constants& constants,
                       std::span<const model::NodeId> nodes, std::span<const model::TensorId> wanted,
                       const std::map<model::TensorId, tensor::Tensor>& known);

// Bytes of the constants that the node reads (each as often as it is read).
std::uint64_t constant_bytes(const model::GraphView& view, const Constants& constants, model::NodeId node);

}  // namespace assay::surgeon
