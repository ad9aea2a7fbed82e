// A branch has no inputs: it reads tensors of the graphs around it, which stay where they are. So inlining means to
// rename what the branch defines (its outputs to the If's outputs, the rest to names that are unused in the whole
// model) and to move everything into the surrounding graph. Nodes get another name if a node there has theirs. An
// output that the branch doesn't define itself (an outer tensor, or one that is an output twice) passes through an
// Identity.
#include "surgeon/graph/inline_branches.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edit/node_names.h"
#include "edit/node_places.h"
#include "edit/rename_tensors.h"
#include "edit/unused_name.h"
#include "edit/visit_graphs.h"
#include "model/attributes.h"
#include "model/weights.h"
#include "surgeon/graph/constants.h"

namespace assay::surgeon {
namespace {

// Counts how many tensors of the model, in all graphs, have a name.
class Names {
 public:
  void add(const std::string& name) { ++count_[name]; }
  void remove(const std::string& name) { --count_[name]; }
  [[nodiscard]] std::string unused_name(const std::string& name) const {
    return edit::unused_name(
        name, [&](const std::string& candidate) { return taken(candidate); }, 1, "_inlined_");
  }

 private:
  [[nodiscard]] bool taken(const std::string& name) const {
    const auto at = count_.find(name);
    return at != count_.end() && at->second > 0;
  }
  std::unordered_map<std::string, int> count_;
};

// Returns the branch that a node takes in every run, or nothing if that is unknown or the node isn't an If.
std::optional<std::string_view> taken_branch(const model::Model& model, const onnx::NodeProto& node,
                                             const Constants& constants) {
  if (!edit::is_operator(node, "If") || node.input_size() != 1) return std::nullopt;
  const onnx::TensorProto* condition = constants.find(node.input(0));
  if (condition == nullptr || model::element_type(*condition) != tensor::ElementType::boolean) return std::nullopt;
  const auto value = model::read_weight(model, *condition);
  if (!value || value->size() != 1) return std::nullopt;
  return value->load<std::uint8_t>(0) != 0 ? model::kThenBranch : model::kElseBranch;
}

// Maps the names of the branch's own tensors (not of its bodies) to their names outside, if different.
edit::Renames choose_names(const onnx::GraphProto& branch, const onnx::NodeProto& node, Names& names) {
  std::vector<std::string> own;
  edit::visit_own_names(branch, [&](const std::string& name) { own.push_back(name); });
  std::unordered_set<std::string_view> produced;
  for (const onnx::NodeProto& inner : branch.node()) produced.insert(inner.output().begin(), inner.output().end());
  edit::Renames renames;
  for (int i = 0; i < branch.output_size(); ++i) {
    const std::string& inner = branch.output(i).name();
    if (produced.contains(inner) && !node.output(i).empty()) renames.emplace(inner, node.output(i));
  }
  for (const std::string& name : own) {
    if (renames.contains(name)) continue;
    renames.emplace(name, names.unused_name(name));
    names.add(renames.at(name));
  }
  return renames;
}

class Inliner {
 public:
  explicit Inliner(model::Model& model) : model_(model) {}

  std::vector<std::string> run() {
    edit::visit_all_names(model_.graph(), [&](const std::string& name) { names_.add(name); });
    graph(model_.graph(), nullptr);
    return std::move(conditions_);
  }

 private:
  void graph(onnx::GraphProto& graph, const Constants* outer) {
    edit::NodeNames node_names(graph);
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    nodes.Swap(graph.mutable_node());
    Constants constants(graph, outer);
    for (onnx::NodeProto& node : nodes) place(graph, node_names, constants, std::move(node));
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      edit::visit_bodies(node, [&](onnx::GraphProto& body) { this->graph(body, &constants); });
    }
  }

  // Appends a node to the graph, or the branch that replaces it. `node_names`, `constants`: those of the graph.
  void place(onnx::GraphProto& graph, edit::NodeNames& node_names, Constants& constants, onnx::NodeProto node) {
    const auto branch = taken_branch(model_, node, constants);
    onnx::GraphProto* body = nullptr;
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (branch && attribute.name() == *branch && attribute.has_g()) body = attribute.mutable_g();
    }
    if (body == nullptr || body->output_size() != node.output_size()) {
      append(graph, constants, std::move(node));
      return;
    }
    conditions_.push_back(node.input(0));
    replace(graph, node_names, constants, node, *body);
  }

  static void append(onnx::GraphProto& graph, Constants& constants, onnx::NodeProto node) {
    onnx::NodeProto& added = *graph.add_node();
    added = std::move(node);
    constants.add(added);
  }

  void replace(onnx::GraphProto& graph, edit::NodeNames& node_names, Constants& constants, const onnx::NodeProto& node,
               onnx::GraphProto& branch) {
    const auto forget = [&](const std::string& name) { names_.remove(name); };
    edit::visit_bodies(node, [&](const onnx::GraphProto& body) {
      if (&body == &branch) {
        edit::visit_own_names(body, forget);
      } else {
        edit::visit_all_names(body, forget);
      }
    });
    edit::rename_tensors(branch, choose_names(branch, node, names_));
    for (onnx::TensorProto& weight : *branch.mutable_initializer()) {
      add_initializer(model_.proto, graph, std::move(weight));
      constants.add(*graph.initializer().rbegin());
    }
    for (onnx::SparseTensorProto& weight : *branch.mutable_sparse_initializer()) {
      *graph.add_sparse_initializer() = std::move(weight);
      constants.add(*graph.sparse_initializer().rbegin());
    }
    for (onnx::ValueInfoProto& value : *branch.mutable_value_info()) *graph.add_value_info() = std::move(value);
    for (onnx::NodeProto& inner : *branch.mutable_node()) {
      node_names.give(inner, inner.name());
      place(graph, node_names, constants, std::move(inner));
    }
    for (int i = 0; i < node.output_size(); ++i) {
      if (node.output(i).empty() || branch.output(i).name() == node.output(i)) continue;
      onnx::NodeProto copy;
      copy.set_op_type("Identity");
      node_names.give(copy, node.output(i) + "_inlined");
      copy.add_input(branch.output(i).name());
      copy.add_output(node.output(i));
      append(graph, constants, std::move(copy));
    }
  }

  model::Model& model_;
  Names names_;
  std::vector<std::string> conditions_;  // of the Ifs that were replaced
};

}  // namespace

std::vector<std::string> inline_branches(model::Model& model) {
  return Inliner(model).run();
}

}  // namespace assay::surgeon
