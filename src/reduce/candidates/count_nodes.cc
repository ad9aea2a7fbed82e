// Counts recursively, with the count of each function cached. Depth and totals are bounded, since functions that call
// functions can multiply the count exponentially, and models are untrusted.
#include "reduce/candidates/count_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "edit/node_places.h"

namespace assay::reduce {
namespace {

constexpr int kDeepest = 64;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;

const std::string& name_of(const onnx::ValueInfoProto& output) {
  return output.name();
}
const std::string& name_of(const std::string& output) {
  return output;
}

// The same rule as in edit::Subject: a Constant that produces an output of its graph is a node.
template <class Outputs>
bool is_inner_constant(const onnx::NodeProto& node, const Outputs& outputs) {
  if (!edit::is_operator(node, "Constant") || node.output_size() != 1) return false;
  return std::ranges::none_of(outputs, [&](const auto& output) { return name_of(output) == node.output(0); });
}

class Counter {
 public:
  Counter(const onnx::ModelProto& model, Constants constants) : constants_(constants) {
    for (const onnx::FunctionProto& function : model.functions()) {
      functions_[{function.domain(), function.name(), function.overload()}] = &function;
    }
  }

  std::int64_t count(const onnx::GraphProto& graph, int depth) {
    if (depth > kDeepest) return 0;
    std::int64_t total = 0;
    for (const onnx::NodeProto& node : graph.node()) {
      if (!is_value(node, graph.output())) total = std::min(total + count(node, depth), kMost);
    }
    return total;
  }

  std::int64_t count(const onnx::NodeProto& node, int depth) {
    std::int64_t total = 1;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) total = std::min(total + count(attribute.g(), depth + 1), kMost);
      for (const onnx::GraphProto& graph : attribute.graphs()) total = std::min(total + count(graph, depth + 1), kMost);
    }
    if (!functions_.empty()) total = std::min(total + count_call(node, depth), kMost);
    return total;
  }

 private:
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

  std::int64_t count_call(const onnx::NodeProto& node, int depth) {
    const Key key{node.domain(), node.op_type(), node.overload()};
    const auto function = functions_.find(key);
    if (function == functions_.end()) return 0;
    if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
    counts_[key] = 0;  // a function that calls itself is invalid, but must not hang us
    std::int64_t total = 0;
    for (const onnx::NodeProto& inside : function->second->node()) {
      if (depth < kDeepest && !is_value(inside, function->second->output())) {
        total = std::min(total + count(inside, depth + 1), kMost);
      }
    }
    return counts_[key] = total;
  }

  template <class Outputs>
  [[nodiscard]] bool is_value(const onnx::NodeProto& node, const Outputs& outputs) const {
    return constants_ == Constants::as_values && is_inner_constant(node, outputs);
  }

  Constants constants_;
  std::map<Key, const onnx::FunctionProto*> functions_;
  std::map<Key, std::int64_t> counts_;
};

}  // namespace

std::int64_t count_all_nodes(const model::Model& model, Constants constants) {
  return Counter(model.proto, constants).count(model.graph(), 0);
}

bool can_be_value(const onnx::NodeProto& node, const onnx::GraphProto& graph) {
  return is_inner_constant(node, graph.output());
}

bool can_be_value(const onnx::NodeProto& node, const onnx::FunctionProto& function) {
  return is_inner_constant(node, function.output());
}

std::string describe_constants(const model::Model& model) {
  const std::int64_t count = count_all_nodes(model, Constants::as_nodes) - count_all_nodes(model);
  if (count == 0) return {};
  return count == 1 ? "Its Constant node counts as a value, not as a node"
                    : fmt::format("Its {} Constant nodes count as values, not as nodes", count);
}

std::vector<std::int64_t> count_in_each(const model::Model& model, std::span<const onnx::NodeProto* const> nodes) {
  Counter counter(model.proto, Constants::as_nodes);
  std::vector<std::int64_t> counts;
  counts.reserve(nodes.size());
  for (const onnx::NodeProto* node : nodes) counts.push_back(counter.count(*node, 0));
  return counts;
}

}  // namespace assay::reduce
