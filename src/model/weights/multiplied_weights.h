// Finds the weights that MatMul, Gemm and Conv multiply and sum over: those that an engine can run with sparse kernels,
// and the axis along which they must be sparse.
#pragma once

#include <vector>

#include "model/graph_view.h"

namespace assay::model {

struct MultipliedWeight {
  const onnx::TensorProto* weight = nullptr;  // an initializer of the graph
  int axis = 0;                               // the one that is summed over, in the stored weight
};

struct MultipliedSparseWeight {
  const onnx::SparseTensorProto* weight = nullptr;  // a sparse initializer of the graph
  int axis = 0;                                     // the one that is summed over
};

// Returns each weight once per axis, in the order of the nodes. Looks through Cast, QuantizeLinear, DequantizeLinear
// and Transpose between the weight and the node. Nodes in bodies are ignored.
std::vector<MultipliedWeight> find_multiplied_weights(const GraphView& view);

// Returns the same for sparse initializers, which have no groups of elements that could be measured or pruned.
std::vector<MultipliedSparseWeight> find_multiplied_sparse_weights(const GraphView& view);

}  // namespace assay::model
