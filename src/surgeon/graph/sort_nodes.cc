#include "surgeon/graph/sort_nodes.h"

#include "edit/visit_graphs.h"
#include "model/sort_graph.h"

namespace assay::surgeon {

base::Status sort_nodes(model::Model& model) {
  base::Status status;
  edit::visit_graphs(model.graph(), [&](onnx::GraphProto& graph) {
    if (!status) return;
    if (const auto order = model::sort_graph(graph); !order) status = base::fail(order.error());
  });
  return status;
}

}  // namespace assay::surgeon
