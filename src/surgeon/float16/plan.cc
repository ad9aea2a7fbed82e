#include "surgeon/float16/plan.h"

#include <algorithm>

#include "edit/node_places.h"
#include "edit/visit_graphs.h"
#include "model/input_specs.h"
#include "model/onnx_facts.h"

namespace assay::surgeon {

using Origin = Float16Scope::Origin;

bool is_constant(const onnx::NodeProto& node) {
  return edit::is_operator(node, "Constant") && node.output_size() == 1;
}

// Sequences and optionals are float16 only if all of them can be, because they can't be cast at the borders.
Float16Plan Float16Plan::make(model::Model& model, const Float16Rules& rules, const std::set<int>& keep) {
  Float16Plan plan;
  plan.keep_ = keep;
  plan.collect_names(model);
  if (!model::initializers_are_inputs(model.proto)) {
    for (std::string& name : model::inputs_with_values(model.graph())) plan.settable_.insert(std::move(name));
  }
  plan.define_all(model, rules);
  if (std::ranges::any_of(plan.in_order_, [](const GraphPlan* graph) { return graph->scope.casts_others(); })) {
    edit::visit_graphs(model.graph(), [&](onnx::GraphProto& graph) { plan.keep_sequences(graph); });
    plan.define_all(model, rules);
  }
  for (GraphPlan* graph_plan : plan.in_order_) {
    graph_plan->scope.choose_names([&](const std::string& base) { return plan.fresh_name(base); });
  }
  return plan;
}

void Float16Plan::define_all(model::Model& model, const Float16Rules& rules) {
  plans_.clear();
  in_order_.clear();
  float16_nodes = float32_nodes = unknown_nodes = sequence_nodes = 0;
  define(model.graph(), nullptr, false, rules);
}

void Float16Plan::keep_sequences(onnx::GraphProto& graph) {
  const Float16Scope& scope = of(graph).scope;
  const auto is_sequence = [&](const std::string& name) {
    const std::string& type = scope.type(name);
    return is_float32(type) && type != "tensor(float)";
  };
  int number = first_number(graph);
  for (const onnx::NodeProto& node : graph.node()) {
    if (std::ranges::any_of(node.input(), is_sequence) || std::ranges::any_of(node.output(), is_sequence)) {
      keep_for_sequences_.insert(number);
    }
    ++number;
  }
}

void Float16Plan::collect_names(model::Model& model) {
  names_ = edit::TensorNames(model.graph());
  std::vector<Types> types = types_by_graph(model);
  std::size_t next = 0;
  int number = 0;
  edit::visit_graphs(model.graph(), [&](onnx::GraphProto& graph) {
    first_numbers_[&graph] = number;
    number += graph.node_size();
    types_[&graph] = std::move(types[next++]);
  });
}

std::string Float16Plan::fresh_name(const std::string& base) {
  return names_.take(base, 1);
}

void Float16Plan::define(onnx::GraphProto& graph, Float16Scope* outer, bool kept, const Float16Rules& rules) {
  GraphPlan& plan = plans_.try_emplace(&graph, outer, types_[&graph]).first->second;
  in_order_.push_back(&plan);
  plan.kept = kept;
  const bool is_model_graph = outer == nullptr;
  const Precision edge = is_model_graph || kept ? Precision::float32 : Precision::float16;
  Names outputs;
  if (is_model_graph) {
    for (const auto& output : graph.output()) outputs.insert(output.name());
  }
  for (const onnx::TensorProto& weight : graph.initializer()) {
    if (is_model_graph && settable_.contains(weight.name())) continue;
    plan.weights.insert(weight.name());
    plan.scope.define(weight.name(), Origin::weight, Precision::float32, outputs.contains(weight.name()));
  }
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) {
    const std::string& name = weight.values().name();
    plan.scope.define(name, Origin::given, Precision::float32, outputs.contains(name));
  }
  for (const auto& input : graph.input()) {
    if (plan.weights.contains(input.name())) continue;
    plan.scope.define(input.name(), Origin::given, edge, outputs.contains(input.name()));
  }
  define_nodes(graph, plan, outputs, rules);
  for (const auto& output : graph.output()) plan.scope.want(output.name(), edge);
  settle_edges(graph, plan);
  int number = first_numbers_.at(&graph);
  for (const NodePrecision& node : plan.nodes) count(node, keep_for_sequences_.contains(number++));
}

void Float16Plan::settle_edges(const onnx::GraphProto& graph, GraphPlan& plan) {
  for (int at = 0; at < graph.node_size(); ++at) {
    NodePrecision& node = plan.nodes[static_cast<std::size_t>(at)];
    if (node.is_edge && plan.scope.keep_float32(graph.node(at).output(0))) {
      node.outputs[0] = Precision::float32;
      node.has_float16 = false;
    }
  }
}

// Defines the results of all nodes before any reader: if the file isn't sorted, bodies may read tensors produced later.
void Float16Plan::define_nodes(onnx::GraphProto& graph, GraphPlan& plan, const Names& outputs,
                               const Float16Rules& rules) {
  const auto type_of = [&](const std::string& name) -> const std::string& { return plan.scope.type(name); };
  int number = first_numbers_.at(&graph);
  for (const onnx::NodeProto& node : graph.node()) {
    const bool keep = plan.kept || keep_for_sequences_.contains(number) || keep_.contains(number);
    ++number;
    for (int i = 0; i < node.output_size(); ++i) {
      if (!type_of(node.output(i)).empty()) continue;
      plan.scope.set_type(node.output(i), rules.output_type(node, i, type_of));
    }
    NodePrecision& precision = plan.nodes.emplace_back(rules.precision(node, type_of, keep));
    for (int i = 0; i < node.output_size(); ++i) {
      const std::string& name = node.output(i);
      const Origin origin = is_constant(node) ? Origin::weight : Origin::produced;
      if (!name.empty()) {
        plan.scope.define(name, origin, precision.outputs[static_cast<std::size_t>(i)], outputs.contains(name));
      }
    }
  }
  for (int at = 0; at < graph.node_size(); ++at) {
    onnx::NodeProto& node = *graph.mutable_node(at);
    const NodePrecision& precision = plan.nodes[static_cast<std::size_t>(at)];
    for (int i = 0; i < node.input_size(); ++i) {
      if (precision.is_edge) {
        plan.scope.want_any(node.input(i));
      } else {
        plan.scope.want(node.input(i), precision.inputs[static_cast<std::size_t>(i)]);
      }
    }
    edit::visit_bodies(node, [&](onnx::GraphProto& body) { define(body, &plan.scope, precision.kept, rules); });
  }
}

void Float16Plan::count(const NodePrecision& node, bool keeps_sequence) {
  float16_nodes += static_cast<int>(node.has_float16);
  float32_nodes += static_cast<int>(node.has_float32);
  unknown_nodes += static_cast<int>(node.has_float32 && node.unknown);
  sequence_nodes += static_cast<int>(node.has_float32 && keeps_sequence);
}

}  // namespace assay::surgeon
