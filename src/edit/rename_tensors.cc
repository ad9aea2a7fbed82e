#include "edit/rename_tensors.h"

#include "edit/visit_graphs.h"

namespace assay::edit {
namespace {

void rename(std::string& name, const Renames& renames) {
  if (const auto at = renames.find(name); at != renames.end()) name = at->second;
}

Renames without(Renames renames, const onnx::GraphProto& graph) {
  visit_own_names(graph, [&](const std::string& name) { renames.erase(name); });
  return renames;
}

}  // namespace

void rename_tensors(onnx::GraphProto& graph, const Renames& renames) {
  if (renames.empty()) return;
  for (onnx::ValueInfoProto& value : *graph.mutable_input()) rename(*value.mutable_name(), renames);
  for (onnx::ValueInfoProto& value : *graph.mutable_output()) rename(*value.mutable_name(), renames);
  for (onnx::ValueInfoProto& value : *graph.mutable_value_info()) rename(*value.mutable_name(), renames);
  for (onnx::TensorProto& weight : *graph.mutable_initializer()) rename(*weight.mutable_name(), renames);
  for (onnx::SparseTensorProto& weight : *graph.mutable_sparse_initializer()) {
    rename(*weight.mutable_values()->mutable_name(), renames);
  }
  for (onnx::TensorAnnotation& annotation : *graph.mutable_quantization_annotation()) {
    rename(*annotation.mutable_tensor_name(), renames);
    for (onnx::StringStringEntryProto& parameter : *annotation.mutable_quant_parameter_tensor_names()) {
      rename(*parameter.mutable_value(), renames);
    }
  }
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (std::string& input : *node.mutable_input()) rename(input, renames);
    for (std::string& output : *node.mutable_output()) rename(output, renames);
    visit_bodies(node, [&](onnx::GraphProto& body) { rename_tensors(body, without(renames, body)); });
  }
}

void visit_own_names(const onnx::GraphProto& graph, const std::function<void(const std::string&)>& visit) {
  for (const onnx::ValueInfoProto& input : graph.input()) visit(input.name());
  for (const onnx::TensorProto& weight : graph.initializer()) visit(weight.name());
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) visit(weight.values().name());
  for (const onnx::NodeProto& node : graph.node()) {
    for (const std::string& output : node.output()) {
      if (!output.empty()) visit(output);
    }
  }
}

void visit_all_names(const onnx::GraphProto& graph, const std::function<void(const std::string&)>& visit) {
  visit_own_names(graph, visit);
  for (const onnx::NodeProto& node : graph.node()) {
    visit_bodies(node, [&](const onnx::GraphProto& body) { visit_all_names(body, visit); });
  }
}

}  // namespace assay::edit
