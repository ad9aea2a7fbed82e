// Finds what differs between a model and its quantized form.
//
// Quantizers keep the names of tensors that exist in both models, whether they put QuantizeLinear and DequantizeLinear
// in front of an operator, replace it (MatMulInteger, MatMulNBits), or drop an activation behind it. So tensors are
// recognised by their names, and the way in which the model was quantized makes no difference. A part is a node of the
// float model that computes a tensor of both models, with the nodes in front of it up to tensors that both models
// compute. In most formats that is one or two nodes. If operators pass quantized tensors on to each other
// (QLinearConv), it may be many. A node whose weight has other values under the same name differs, too: it was rounded,
// pruned, or is computed from a quantized weight.
//
// Nodes of bodies aren't compared by themselves: the If, Loop or Scan that contains them is one node.
#pragma once

#include <string>
#include <vector>

#include "model/graph_view.h"
#include "model/model.h"

namespace assay::surgeon {

struct QuantizedPart {
  std::vector<model::NodeId> nodes;  // of the float model's graph, ascending; the last one computes the outputs
  std::vector<std::string> outputs;  // those that the quantized model computes, too
};

// Returns the parts that differ, in the order of their last nodes. `quantized` is the model `floats` after
// quantization. Neither may have functions (inline_functions) or Constant nodes (lift_constants). Leaves out parts with
// nodes that aren't valid in the quantized model's versions of their operators: quantizers convert old models to newer
// versions.
std::vector<QuantizedPart> find_quantized_parts(const model::Model& floats, const model::Model& quantized);

}  // namespace assay::surgeon
