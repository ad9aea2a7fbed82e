// Recursion is bounded: the loader limits how deeply bodies may be nested.
#include "edit/graph_names.h"
#include "edit/visit_graphs.h"

#include <string>

namespace assay::edit {
namespace {

// Returns the names that the graph takes from outside: those that it reads or outputs but doesn't define.
std::vector<std::string_view> collect(const onnx::GraphProto& graph, NamesByGraph& all) {
  GraphNames names;
  for (const auto& input : graph.input()) names.defined.insert(input.name());
  for (const auto& tensor : graph.initializer()) names.defined.insert(tensor.name());
  for (const auto& sparse : graph.sparse_initializer()) names.defined.insert(sparse.values().name());
  for (const onnx::NodeProto& node : graph.node()) {
    for (const std::string& output : node.output()) {
      if (!output.empty()) names.produced.insert(output);
    }
  }
  names.defined.insert(names.produced.begin(), names.produced.end());
  const auto read = [&](std::string_view name) {
    if (name.empty() || !names.read.insert(name).second) return;
    if (!names.defined.contains(name)) names.undefined.push_back(name);
  };
  for (const onnx::NodeProto& node : graph.node()) {
    for (const std::string& input : node.input()) read(input);
    visit_bodies(node, [&](const onnx::GraphProto& body) {
      for (const std::string_view name : collect(body, all)) read(name);
    });
  }
  std::vector<std::string_view> outside = names.undefined;
  for (const auto& output : graph.output()) {
    names.outputs.insert(output.name());
    if (!names.defined.contains(output.name()) && !names.read.contains(output.name())) outside.push_back(output.name());
  }
  all.insert_or_assign(&graph, std::move(names));
  return outside;
}

}  // namespace

NamesByGraph collect_names(const onnx::GraphProto& graph) {
  NamesByGraph all;
  collect(graph, all);
  return all;
}

}  // namespace assay::edit
