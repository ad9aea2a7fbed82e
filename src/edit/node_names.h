// Chooses names for nodes that are added to a graph. ONNX Runtime refuses a graph in which two nodes have the same
// name.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_set>

namespace assay::edit {

// The names of a graph's nodes. Those in bodies don't count: a body is a graph of its own.
class NodeNames {
 public:
  NodeNames() = default;
  explicit NodeNames(const onnx::GraphProto& graph);

  // Notes a node that keeps its name.
  void add(const onnx::NodeProto& node) { taken_.insert(node.name()); }

  // Names the node `wanted`, with a number if another node has that name. If `wanted` is empty, the node gets no name.
  void give(onnx::NodeProto& node, const std::string& wanted);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace assay::edit
