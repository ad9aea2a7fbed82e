// Every node of a graph and of its bodies, with what a change calls it.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>
#include <vector>

#include "edit/model_change.h"

namespace assay::edit {

// Valid while the model lives unchanged.
struct NodePlace {
  const onnx::GraphProto* graph = nullptr;
  const onnx::NodeProto* node = nullptr;
  NodeRef ref{};
};

// In the order of the file, a node before what is in its bodies. Nodes that nothing names (neither outputs nor a name)
// are left out, as are bodies in lists of graphs and those of a second node of the same name.
std::vector<NodePlace> node_places(const onnx::GraphProto& graph);
// Without those of bodies.
std::vector<NodePlace> outer_node_places(const onnx::GraphProto& graph);

// What a change calls the node: its first output with a name, else its name; may be empty.
const std::string& name_of(const onnx::NodeProto& node);
// "Conv 'conv_7'": the node's name, or its first output.
std::string describe(const onnx::NodeProto& node);
bool is_operator(const onnx::NodeProto& node, std::string_view op_type);  // one of ONNX's own

}  // namespace assay::edit
