// Lists every node of a graph and of its bodies, with the reference by which a change names it.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>
#include <vector>

#include "edit/node_ref.h"

namespace assay::edit {

// Valid while the model lives and doesn't change.
struct NodePlace {
  const onnx::GraphProto* graph = nullptr;
  const onnx::NodeProto* node = nullptr;
  NodeRef ref{};
};

// Returns the nodes in the order of the file, each before those in its bodies. Leaves out nodes without outputs and
// name, bodies in lists of graphs, and the bodies of a second node of the same name.
std::vector<NodePlace> node_places(const onnx::GraphProto& graph);
// The same without nodes in bodies.
std::vector<NodePlace> outer_node_places(const onnx::GraphProto& graph);

// Returns the name by which a change refers to the node: its first output with a name, else its own name; may be empty.
const std::string& name_of(const onnx::NodeProto& node);
bool is_operator(const onnx::NodeProto& node, std::string_view op_type);  // of the domain ai.onnx

}  // namespace assay::edit
