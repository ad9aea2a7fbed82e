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

}  // namespace fake_tensorrt
