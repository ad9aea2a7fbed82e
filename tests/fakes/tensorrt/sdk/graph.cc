#include "graph.h"

#include <algorithm>

namespace fake_tensorrt {

std::optional<int> find_tensor(const Graph& graph, const std::string& name) {
  const auto found = std::find_if(graph.tensors.begin(), graph.tensors.end(),
                                  [&](const GraphTensor& tensor) { return tensor.name == name; });
  if (found == graph.tensors.end()) return std::nullopt;
  return static_cast<int>(found - graph.tensors.begin());
}

bool is_input(const Graph& graph, int tensor) {
  return std::find(graph.inputs.begin(), graph.inputs.end(), tensor) != graph.inputs.end();
}

bool is_output(const Graph& graph, int tensor) {
  return std::find(graph.outputs.begin(), graph.outputs.end(), tensor) != graph.outputs.end();
}

// One pass over the layers, which are in topological order: in models such as DenseNet, the number of paths to a tensor
// grows exponentially.
bool is_interior(const Graph& graph, int tensor) {
  using nvinfer1::LayerType;
  std::vector<bool> inside(graph.tensors.size(), false);
  for (const GraphLayer& layer : graph.layers) {
    const bool enters = layer.type == LayerType::kRECURRENCE || layer.type == LayerType::kCONDITIONAL_INPUT;
    const bool leaves = layer.type == LayerType::kLOOP_OUTPUT || layer.type == LayerType::kCONDITIONAL_OUTPUT;
    const bool continues =
        std::any_of(layer.inputs.begin(), layer.inputs.end(), [&](int input) { return inside[input]; });
    inside[layer.outputs.at(0)] = enters || (continues && !leaves);
  }
  return inside[tensor];
}

std::optional<int> fused_before(const Graph& graph, int layer) {
  const auto is_a_sum = [&graph](int index) {
    const GraphLayer& row = graph.layers[index];
    return row.type == nvinfer1::LayerType::kELEMENTWISE && row.op.empty();
  };
  if (!is_a_sum(layer)) return std::nullopt;
  for (int before = 0; before < layer; ++before) {
    const int result = graph.layers[before].outputs.at(0);
    const auto& inputs = graph.layers[layer].inputs;
    const bool is_read = std::find(inputs.begin(), inputs.end(), result) != inputs.end();
    if (!is_a_sum(before) || !is_read || is_output(graph, result)) continue;
    std::ptrdiff_t readers = 0;
    for (const GraphLayer& row : graph.layers) readers += std::count(row.inputs.begin(), row.inputs.end(), result);
    if (readers == 1) return before;
  }
  return std::nullopt;
}

}  // namespace fake_tensorrt
