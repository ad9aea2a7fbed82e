#include "blame/network_layers.h"

namespace assay::blame {

std::vector<surgeon::Float16Node> layers_with_precision(const tensorrt::NetworkInfo& network) {
  std::vector<surgeon::Float16Node> layers;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const tensorrt::NetworkLayer& layer = network.layers[i];
    if (!tensorrt::has_precision(layer)) continue;
    surgeon::Float16Node& node = layers.emplace_back();
    node.number = static_cast<int>(i);
    node.name = layer.name;
    node.tensors = layer.inputs;
    for (const tensorrt::NetworkTensor& tensor : layer.outputs) node.tensors.push_back(tensor.name);
  }
  return layers;
}

}  // namespace assay::blame
