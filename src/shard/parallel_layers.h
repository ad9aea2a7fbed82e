// Finds the layers whose weights tensor parallelism splits, and the weights.
//
// A device computes some columns of the first MatMuls of a layer, and the same rows of its last one, so that the sum of
// all devices' results is the layer's result (Shoeybi et al., "Megatron-LM", 2019, section 3).
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "model/graph_view.h"

namespace assay::shard {

// An initializer, and the dimension along which it is split.
struct SplitWeight {
  std::string name;
  int axis = 0;
};

struct ParallelLayer {
  model::NodeId attention = model::kNone;  // the AttentionPlugin; kNone: the layer is an MLP
  model::NodeId result = model::kNone;     // the last MatMul
  std::string past = {}, present = {};     // the cache of K and V, read and written by the AttentionPlugin
  std::vector<SplitWeight> weights = {};
};

// Returns the layers of these forms, those with attention first:
//
// - AttentionPlugin, the operator of TensorRT Edge-LLM, with a MatMul above each of Q, K and V, and one below. Its
//   first input is Q, followed by K and V, or a Concat of the three.
// - Down(SiLU(Gate(x)) * Up(x)), where SiLU(g) is g * Sigmoid(g), and the others are MatMuls.
//
// A weight may pass through Transpose, Cast and DequantizeLinear on its way to the MatMul; then scales and zero points
// that belong to a part of it are split as well. So are biases that are added to the first MatMuls.
//
// Errors: unsupported if a MatMul of such a layer is missing or doubles as another one, if its weight isn't such an
// initializer, or if the weight has other readers.
base::Expected<std::vector<ParallelLayer>> find_parallel_layers(const model::GraphView& view);

}  // namespace assay::shard
