// Plans what becomes of each tensor and node in a conversion to float16, before anything is changed.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edit/tensor_names.h"
#include "model/model.h"
#include "surgeon/float16/rules.h"
#include "surgeon/float16/scope.h"

namespace assay::surgeon {

// The plan of one graph. Nodes have the indices that they have before any is added.
struct GraphPlan {
  GraphPlan(Float16Scope* outer, Types types) : scope(outer, std::move(types)) {}
  Float16Scope scope;
  bool kept = false;  // the graph is a body of a node that is kept
  std::vector<NodePrecision> nodes;
  std::unordered_set<std::string> weights;
};

// Returns true for a Constant node, whose value is treated as a weight.
bool is_constant(const onnx::NodeProto& node);

class Float16Plan {
 public:
  // Plans the conversion, except for the nodes whose numbers are in `keep` (Float16Options::keep). Refers to graphs of
  // the model by their addresses.
  static Float16Plan make(model::Model& model, const Float16Rules& rules, const std::set<int>& keep = {});

  [[nodiscard]] const GraphPlan& of(const onnx::GraphProto& graph) const { return plans_.at(&graph); }
  // Returns the number of the first node of a graph (Float16Options::keep).
  [[nodiscard]] int first_number(const onnx::GraphProto& graph) const { return first_numbers_.at(&graph); }
  // Returns a name that no tensor has, and reserves it.
  std::string fresh_name(const std::string& base);

  int float16_nodes = 0;  // see Float16Model
  int float32_nodes = 0;
  int unknown_nodes = 0;
  int sequence_nodes = 0;

 private:
  using Names = std::unordered_set<std::string>;
  Float16Plan() = default;

  void collect_names(model::Model& model);
  void define_all(model::Model& model, const Float16Rules& rules);
  // Keeps all nodes that read or produce a sequence or an optional of float32.
  void keep_sequences(onnx::GraphProto& graph);
  void define(onnx::GraphProto& graph, Float16Scope* outer, bool kept, const Float16Rules& rules);
  void define_nodes(onnx::GraphProto& graph, GraphPlan& plan, const Names& outputs, const Float16Rules& rules);
  // Leaves the results of edges in float32 if a reader wants that. All readers are known by then.
  static void settle_edges(const onnx::GraphProto& graph, GraphPlan& plan);
  void count(const NodePrecision& node, bool keeps_sequence);

  std::map<const onnx::GraphProto*, Types> types_;
  std::map<const onnx::GraphProto*, int> first_numbers_;
  Names settable_;  // inputs of the model with a value that callers may set: these aren't weights
  std::set<int> keep_;
  std::set<int> keep_for_sequences_;
  std::map<const onnx::GraphProto*, GraphPlan> plans_;
  std::vector<GraphPlan*> in_order_;  // in order of the walk, so that names are deterministic
  edit::TensorNames names_;
};

}  // namespace assay::surgeon
