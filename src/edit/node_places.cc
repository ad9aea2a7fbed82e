// Recursion is bounded: the loader limits how deeply bodies may be nested.
#include "edit/node_places.h"

#include <algorithm>
#include <map>
#include <string>

#include "model/onnx_facts.h"

namespace assay::edit {
namespace {

void collect(const onnx::GraphProto& graph, const GraphPath& path, bool bodies, std::vector<NodePlace>& places) {
  std::map<std::string, int> count;
  for (const onnx::NodeProto& node : graph.node()) {
    const std::string name = name_of(node);
    if (name.empty()) continue;
    const int nth = count[name]++;
    places.push_back({&graph, &node, {.graph = path, .output = name, .op_type = {}, .nth = nth}});
    if (!bodies || nth > 0) continue;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      GraphPath inner = path;
      inner.steps.push_back({name, attribute.name()});
      collect(attribute.g(), inner, bodies, places);
    }
  }
}

}  // namespace

std::vector<NodePlace> node_places(const onnx::GraphProto& graph) {
  std::vector<NodePlace> places;
  collect(graph, {}, true, places);
  return places;
}

std::vector<NodePlace> outer_node_places(const onnx::GraphProto& graph) {
  std::vector<NodePlace> places;
  collect(graph, {}, false, places);
  return places;
}

const std::string& name_of(const onnx::NodeProto& node) {
  const auto named = std::ranges::find_if(node.output(), [](const std::string& name) { return !name.empty(); });
  return named != node.output().end() ? *named : node.name();
}

bool is_operator(const onnx::NodeProto& node, std::string_view op_type) {
  return node.op_type() == op_type && model::is_default_domain(node.domain());
}

}  // namespace assay::edit
