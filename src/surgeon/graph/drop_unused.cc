#include "surgeon/graph/drop_unused.h"

#include <string>
#include <unordered_set>
#include <vector>

#include "edit/keep_if.h"
#include "edit/visit_graphs.h"
#include "model/dependencies.h"

namespace assay::surgeon {
namespace {

// Returns the names that the graph's nodes, including their bodies, and its outputs read.
std::unordered_set<std::string> names_read(const onnx::GraphProto& graph) {
  std::unordered_set<std::string> names;
  for (const onnx::NodeProto& node : graph.node()) {
    for (std::string& name : edit::names_read(node)) names.insert(std::move(name));
  }
  for (const onnx::ValueInfoProto& output : graph.output()) names.insert(output.name());
  return names;
}

int drop_initializers(onnx::GraphProto& graph) {
  const std::unordered_set<std::string> read = names_read(graph);
  std::unordered_set<std::string> removed;
  const auto keep = [&](const std::string& name) {
    if (read.contains(name)) return true;
    removed.insert(name);
    return false;
  };
  int dropped = edit::keep_if(*graph.mutable_initializer(), [&](const auto& weight) { return keep(weight.name()); });
  dropped += edit::keep_if(*graph.mutable_sparse_initializer(),
                           [&](const auto& weight) { return keep(weight.values().name()); });
  edit::keep_if(*graph.mutable_input(), [&](const auto& input) { return !removed.contains(input.name()); });
  return dropped;
}

void drop_value_infos(onnx::GraphProto& graph) {
  std::unordered_set<std::string_view> defined;
  for (const onnx::NodeProto& node : graph.node()) defined.insert(node.output().begin(), node.output().end());
  for (const onnx::TensorProto& weight : graph.initializer()) defined.insert(weight.name());
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) defined.insert(weight.values().name());
  edit::keep_if(*graph.mutable_value_info(), [&](const auto& value) { return defined.contains(value.name()); });
}

}  // namespace

int drop_dead_nodes(model::Model& model) {
  int dropped = 0;
  edit::visit_graphs(model.graph(), [&](onnx::GraphProto& graph) {
    const std::vector<bool> live = model::needed_nodes(model::GraphView(graph));
    dropped += edit::keep_if(*graph.mutable_node(), [next = live.begin()](const auto&) mutable { return *next++; });
  });
  return dropped;
}

int drop_unused_initializers(model::Model& model) {
  int dropped = 0;
  edit::visit_graphs(model.graph(), [&](onnx::GraphProto& graph) {
    dropped += drop_initializers(graph);
    drop_value_infos(graph);
  });
  return dropped;
}

}  // namespace assay::surgeon
