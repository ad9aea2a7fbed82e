#include "edit/node_names.h"

#include "edit/unused_name.h"

namespace assay::edit {

NodeNames::NodeNames(const onnx::GraphProto& graph) {
  for (const onnx::NodeProto& node : graph.node()) add(node);
}

void NodeNames::give(onnx::NodeProto& node, const std::string& wanted) {
  if (wanted.empty()) {
    node.clear_name();
    return;
  }
  node.set_name(unused_name(
      wanted, [this](const std::string& name) { return !taken_.insert(name).second; }, 2));
}

}  // namespace assay::edit
