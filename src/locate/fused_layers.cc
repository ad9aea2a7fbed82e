#include "locate/fused_layers.h"

#include <algorithm>

#include "tensorrt/engine_names.h"

namespace assay::locate {
namespace {

bool returns(const tensorrt::EngineLayer& layer, const std::string& tensor) {
  return std::ranges::any_of(layer.outputs, [&](const tensorrt::EngineTensor& output) {
    return tensorrt::split_profile(output.name).base == tensor;
  });
}

bool computes(const tensorrt::EngineLayer& layer, const std::string& node) {
  return std::ranges::find(layer.onnx_nodes, node) != layer.onnx_nodes.end();
}

}  // namespace

std::string name_in_tensorrt(const onnx::NodeProto& node) {
  return node.name().empty() && node.output_size() > 0 ? "node_of_" + node.output(0) : node.name();
}

// A node can be spread over several layers, the last of which computes its result. If the engine doesn't tell the nodes
// of its layers, the layer that returns the tensor remains.
std::optional<FusedLayer> find_layer(const tensorrt::EngineInfo& engine, const std::string& node,
                                     const std::string& tensor) {
  const tensorrt::EngineLayer* found = nullptr;
  int best = 0;
  for (const tensorrt::EngineLayer& layer : engine.profiles.front().layers) {
    const int score = (computes(layer, node) ? 2 : 0) + (returns(layer, tensor) ? 1 : 0);
    if (score == 0 || score < best) continue;
    found = &layer;
    best = score;
  }
  if (found == nullptr) return std::nullopt;
  return FusedLayer{.runner = {}, .name = found->name, .nodes = found->onnx_nodes};
}

std::vector<std::string> layers_with_precision(const tensorrt::NetworkInfo& network,
                                               const std::set<std::string>& tensors) {
  std::vector<std::string> names;
  for (const tensorrt::NetworkLayer& layer : network.layers) {
    const bool is_meant = std::ranges::any_of(
        layer.outputs, [&](const tensorrt::NetworkTensor& output) { return tensors.contains(output.name); });
    if (is_meant && tensorrt::has_precision(layer)) names.push_back(layer.name);
  }
  return names;
}

}  // namespace assay::locate
