#include "surgeon/sort_nodes.h"

#include <algorithm>

#include "edit/visit_graphs.h"
#include "model/graph_view.h"

namespace assay::surgeon {
namespace {

base::Status sort_graph(onnx::GraphProto& graph) {
  ASSAY_ASSIGN(const std::vector<model::NodeId> order, model::topological_order(model::GraphView(graph)));
  if (std::ranges::is_sorted(order)) return {};
  google::protobuf::RepeatedPtrField<onnx::NodeProto> sorted;
  sorted.Reserve(graph.node_size());
  for (const model::NodeId node : order) sorted.Add()->Swap(graph.mutable_node(node));
  graph.mutable_node()->Swap(&sorted);
  return {};
}

}  // namespace

base::Status sort_nodes(model::Model& model) {
  base::Status status;
  edit::visit_graphs(model.graph(), [&](onnx::GraphProto& graph) {
    if (status) status = sort_graph(graph);
  });
  return status;
}

}  // namespace assay::surgeon
