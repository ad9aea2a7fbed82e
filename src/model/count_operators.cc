#include "model/count_operators.h"

#include <algorithm>
#include <functional>

#include "model/onnx_facts.h"

namespace assay::model {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

void add_bodies(const onnx::NodeProto& node, OperatorCounts& counts);

void add(const Nodes& nodes, OperatorCounts& counts) {
  for (const onnx::NodeProto& node : nodes) ++counts[operator_name(node)];
}

void add_graph(const onnx::GraphProto& graph, OperatorCounts& counts) {
  add(graph.node(), counts);
  for (const onnx::NodeProto& node : graph.node()) add_bodies(node, counts);
}

// Recursion is bounded: model::load refuses messages that are nested deeply.
void add_bodies(const onnx::NodeProto& node, OperatorCounts& counts) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g()) add_graph(attribute.g(), counts);
    for (const onnx::GraphProto& graph : attribute.graphs()) add_graph(graph, counts);
  }
}

}  // namespace

std::string operator_name(const onnx::NodeProto& node) {
  return is_default_domain(node.domain()) ? node.op_type() : node.domain() + "." + node.op_type();
}

CountedNodes count_operators(const Nodes& nodes) {
  CountedNodes counts;
  add(nodes, counts.direct);
  for (const onnx::NodeProto& node : nodes) add_bodies(node, counts.inside);
  return counts;
}

OperatorCounts count_all_operators(const onnx::GraphProto& graph) {
  OperatorCounts counts;
  add_graph(graph, counts);
  return counts;
}

std::size_t total(const OperatorCounts& counts) {
  std::size_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

std::vector<std::pair<std::string, std::size_t>> most_frequent_first(const OperatorCounts& counts) {
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, std::size_t>::second);
  return sorted;
}

std::vector<OperatorChange> changed_operators(OperatorCounts before, OperatorCounts after) {
  for (const auto& [name, count] : before) after.try_emplace(name, 0);
  std::vector<OperatorChange> changed;
  for (const auto& [name, count] : after) {
    if (before[name] != count) changed.push_back({name, before[name], count});
  }
  const auto size = [](const OperatorChange& change) {
    return std::max(change.before, change.after) - std::min(change.before, change.after);
  };
  std::ranges::stable_sort(changed, std::greater(), size);
  return changed;
}

}  // namespace assay::model
