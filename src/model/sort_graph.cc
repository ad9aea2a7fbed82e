#include "model/sort_graph.h"

#include <algorithm>

#include "base/at.h"

namespace assay::model {
namespace {

using base::at;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

// Calls place(pointers to all nodes), and puts the pointers that it returns back.
template <class Place>
void rearrange(Nodes& nodes, const Place& place) {
  std::vector<onnx::NodeProto*> taken(at(nodes.size()));
  nodes.UnsafeArenaExtractSubrange(0, nodes.size(), taken.data());
  for (onnx::NodeProto* node : place(taken)) nodes.UnsafeArenaAddAllocated(node);
}

}  // namespace

base::Expected<std::vector<NodeId>> sort_graph(onnx::GraphProto& graph) {
  ASSAY_ASSIGN(std::vector<NodeId> order, topological_order(GraphView(graph)));
  if (std::ranges::is_sorted(order)) return order;
  rearrange(*graph.mutable_node(), [&](const std::vector<onnx::NodeProto*>& nodes) {
    std::vector<onnx::NodeProto*> sorted;
    for (const NodeId id : order) sorted.push_back(nodes[at(id)]);
    return sorted;
  });
  return order;
}

void unsort_graph(onnx::GraphProto& graph, const std::vector<NodeId>& order) {
  if (std::ranges::is_sorted(order)) return;
  rearrange(*graph.mutable_node(), [&](const std::vector<onnx::NodeProto*>& sorted) {
    std::vector<onnx::NodeProto*> nodes(sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) nodes[at(order[i])] = sorted[i];
    return nodes;
  });
}

}  // namespace assay::model
