#include "blame/network_layers.h"

namespace assay::blame {

std::vector<PrecisionCandidate> layers_with_precision(const tensorrt::NetworkInfo& network) {
  std::vector<PrecisionCandidate> layers;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const tensorrt::NetworkLayer& layer = network.layers[i];
    if (!tensorrt::has_precision(layer)) continue;
    PrecisionCandidate& candidate = layers.emplace_back();
    candidate.number = static_cast<int>(i);
    candidate.name = layer.name;
    candidate.tensors = layer.inputs;
    for (const tensorrt::NetworkTensor& tensor : layer.outputs) candidate.tensors.push_back(tensor.name);
  }
  return layers;
}

}  // namespace assay::blame
