// Nodes are looked up by a text of everything that they depend on. In the order of the file, producers come first, so
// nodes whose inputs have been merged are found in the same walk.
#include "surgeon/fold/merge_duplicates.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "edit/visit_graphs.h"
#include "model/attributes.h"
#include "model/function_calls.h"
#include "model/onnx_facts.h"
#include "surgeon/fold/find_foldable.h"
#include "surgeon/graph/constants.h"
#include "surgeon/graph/replace_tensors.h"

namespace assay::surgeon {
namespace {

// Adds a text so that what follows can't be taken for a part of it.
void add(std::string& key, std::string_view text) {
  key += std::to_string(text.size());
  key += ':';
  key += text;
}

std::string key_of(const onnx::NodeProto& node, const TensorReplacement& replacement) {
  std::string key;
  add(key, model::domain_key(node.domain()));
  add(key, node.op_type());
  add(key, node.overload());
  for (const std::string& input : node.input()) add(key, replacement.resolve(input));
  key += '>';
  for (const std::string& output : node.output()) key += output.empty() ? '0' : '1';
  std::vector<std::string> attributes;
  for (onnx::AttributeProto attribute : node.attribute()) {
    attribute.clear_doc_string();
    attributes.push_back(attribute.SerializeAsString());
  }
  std::ranges::sort(attributes);
  for (const std::string& attribute : attributes) add(key, attribute);
  return key;
}

class Merger {
 public:
  explicit Merger(model::Model& model) : model_(model), ops_(model.proto) {}

  int graph(onnx::GraphProto& graph, const Constants* outer) {
    int count = merge(graph, Constants(graph, outer));
    const Constants constants(graph, outer);
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      edit::visit_bodies(node, [&](onnx::GraphProto& body) { count += this->graph(body, &constants); });
    }
    return count;
  }

 private:
  int merge(onnx::GraphProto& graph, const Constants& constants) {
    TensorReplacement replacement(graph);
    merge_weights(graph, replacement);
    std::unordered_map<std::string, const onnx::NodeProto*> first;
    std::vector<bool> removed(static_cast<std::size_t>(graph.node_size()), false);
    for (int i = 0; i < graph.node_size(); ++i) {
      const onnx::NodeProto& node = graph.node(i);
      if (!may_merge(node, constants)) continue;
      const auto [at, is_first] = first.emplace(key_of(node, replacement), &node);
      if (!is_first) removed[static_cast<std::size_t>(i)] = replace(replacement, node, *at->second);
    }
    replacement.apply(removed);
    return static_cast<int>(std::ranges::count(removed, true));
  }

  static void merge_weights(const onnx::GraphProto& graph, TensorReplacement& replacement) {
    std::unordered_set<std::string_view> inputs;
    for (const onnx::ValueInfoProto& input : graph.input()) inputs.insert(input.name());
    std::unordered_map<std::string, std::string> first;
    for (onnx::TensorProto weight : graph.initializer()) {
      const std::string name = weight.name();
      if (inputs.contains(name)) continue;
      weight.clear_name();
      weight.clear_doc_string();
      const auto [at, is_first] = first.emplace(weight.SerializeAsString(), name);
      if (!is_first && replacement.can_replace(name, at->second)) replacement.replace(name, at->second);
    }
  }

  [[nodiscard]] bool may_merge(const onnx::NodeProto& node, const Constants& constants) const {
    if (node.output().empty() || model::has_body(node) || !ops_.allows(node, constants)) return false;
    return model::is_default_domain(node.domain()) || model::find_function(model_.proto, node) != nullptr;
  }

  // Returns false if one of the outputs can't be replaced. The node then stays.
  static bool replace(TensorReplacement& replacement, const onnx::NodeProto& node, const onnx::NodeProto& by) {
    for (int i = 0; i < node.output_size(); ++i) {
      if (!node.output(i).empty() && !replacement.can_replace(node.output(i), by.output(i))) return false;
    }
    for (int i = 0; i < node.output_size(); ++i) {
      if (!node.output(i).empty()) replacement.replace(node.output(i), by.output(i));
    }
    return true;
  }

  model::Model& model_;
  FoldableOps ops_;
};

}  // namespace

int merge_duplicates(model::Model& model) {
  return Merger(model).graph(model.graph(), nullptr);
}

}  // namespace assay::surgeon
