#include "reduce/count_nodes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace assay::reduce {
namespace {

constexpr int kDeepest = 64;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;  // functions that call functions: 2^depth

class Counter {
 public:
  explicit Counter(const onnx::ModelProto& model) {
    for (const onnx::FunctionProto& function : model.functions()) {
      functions_[{function.domain(), function.name(), function.overload()}] = &function;
    }
  }

  std::int64_t count(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, int depth) {
    if (depth > kDeepest) return 0;
    std::int64_t total = 0;
    for (const onnx::NodeProto& node : nodes) total = std::min(total + count(node, depth), kMost);
    return total;
  }

  std::int64_t count(const onnx::NodeProto& node, int depth) {
    std::int64_t total = 1;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) total += count(attribute.g().node(), depth + 1);
      for (const onnx::GraphProto& graph : attribute.graphs()) total += count(graph.node(), depth + 1);
    }
    if (!functions_.empty()) total += count_call(node, depth);
    return std::min(total, kMost);
  }

 private:
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

  std::int64_t count_call(const onnx::NodeProto& node, int depth) {
    const Key key{node.domain(), node.op_type(), node.overload()};
    const auto function = functions_.find(key);
    if (function == functions_.end()) return 0;
    if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
    counts_[key] = 0;  // one that calls itself is not valid, and must not hang us
    const std::int64_t total = count(function->second->node(), depth + 1);
    return counts_[key] = total;
  }

  std::map<Key, const onnx::FunctionProto*> functions_;
  std::map<Key, std::int64_t> counts_;
};

}  // namespace

std::int64_t count_all_nodes(const model::Model& model) {
  return Counter(model.proto).count(model.graph().node(), 0);
}

std::vector<std::int64_t> count_in_each(const model::Model& model, std::span<const onnx::NodeProto* const> nodes) {
  Counter counter(model.proto);
  std::vector<std::int64_t> counts;
  counts.reserve(nodes.size());
  for (const onnx::NodeProto* node : nodes) counts.push_back(counter.count(*node, 0));
  return counts;
}

}  // namespace assay::reduce
