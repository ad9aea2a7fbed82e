// Names the nodes of an answer as TensorRT sees them.
//
// TensorRT fuses nodes into layers, and marking a tensor as output keeps it from fusing the nodes around it. So the
// layer is that of the engine which is built from the whole, unmarked model.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"
#include "tensorrt/engine_info.h"
#include "tensorrt/network_info.h"

namespace assay::locate {

struct FusedLayer {
  std::string runner;              // the side whose engine has it
  std::string name;                // TensorRT's
  std::vector<std::string> nodes;  // the ONNX nodes in it, by their names; empty if the engine doesn't tell them
};

// Returns the name by which TensorRT's parser calls a node: its own or, if it has none, one made from its first output.
std::string name_in_tensorrt(const onnx::NodeProto& node);

// Returns the layer that computes the node `node` (name_in_tensorrt) with the result `tensor`, without `runner`; or
// nullopt if none does, as after constant folding.
std::optional<FusedLayer> find_layer(const tensorrt::EngineInfo& engine, const std::string& node,
                                     const std::string& tensor);

// Returns the names of the network's layers that compute one of the tensors and whose precision can be chosen.
std::vector<std::string> layers_with_precision(const tensorrt::NetworkInfo& network,
                                               const std::set<std::string>& tensors);

}  // namespace assay::locate
