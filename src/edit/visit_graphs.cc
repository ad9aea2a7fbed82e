// Recursion is bounded: the loader limits how deeply bodies may be nested.
#include "edit/visit_graphs.h"

#include "model/graph_view.h"

namespace assay::edit {

void visit_bodies(onnx::NodeProto& node, const std::function<void(onnx::GraphProto&)>& visit) {
  for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
    if (attribute.has_g()) visit(*attribute.mutable_g());
    for (onnx::GraphProto& body : *attribute.mutable_graphs()) visit(body);
  }
}

void visit_bodies(const onnx::NodeProto& node, const std::function<void(const onnx::GraphProto&)>& visit) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g()) visit(attribute.g());
    for (const onnx::GraphProto& body : attribute.graphs()) visit(body);
  }
}

void visit_graphs(onnx::GraphProto& graph, const std::function<void(onnx::GraphProto&)>& visit) {
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    visit_bodies(node, [&](onnx::GraphProto& body) { visit_graphs(body, visit); });
  }
  visit(graph);
}

void visit_nodes(Nodes& nodes, const std::function<void(onnx::NodeProto&)>& visit) {
  for (onnx::NodeProto& node : nodes) {
    visit(node);
    visit_bodies(node, [&](onnx::GraphProto& body) { visit_nodes(*body.mutable_node(), visit); });
  }
}

void visit_nodes(const Nodes& nodes, const std::function<void(const onnx::NodeProto&)>& visit) {
  for (const onnx::NodeProto& node : nodes) {
    visit(node);
    visit_bodies(node, [&](const onnx::GraphProto& body) { visit_nodes(body.node(), visit); });
  }
}

std::vector<std::string> names_read(const onnx::NodeProto& node) {
  std::vector<std::string> names(node.input().begin(), node.input().end());
  visit_bodies(node, [&](const onnx::GraphProto& body) {
    for (std::string& name : model::captured_names(body)) names.push_back(std::move(name));
  });
  std::erase(names, std::string());
  return names;
}

}  // namespace assay::edit
