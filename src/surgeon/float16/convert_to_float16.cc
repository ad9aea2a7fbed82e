// Float16Plan decides everything before anything changes: in which precisions each tensor exists, its name in each, and
// where Casts are needed. This file only writes the plan down. A body is rewritten together with its node, because it
// may read tensors of the graphs around it, whose names the plan's scopes look up.
//
// A Cast follows the definition of its tensor, not each reader, so that readers of the same precision share it. Dense
// weights and Constants need no Casts: they are stored in each precision that is read.
#include "surgeon/float16/convert_to_float16.h"

#include <onnx/defs/attr_proto_util.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "edit/node_names.h"
#include "edit/visit_graphs.h"
#include "model/input_specs.h"
#include "model/visit_tensors.h"
#include "surgeon/float16/attributes.h"
#include "surgeon/float16/plan.h"
#include "surgeon/float16/weights.h"
#include "surgeon/graph/constants.h"
#include "surgeon/graph/inline_functions.h"

namespace assay::surgeon {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

constexpr std::int64_t kCastOpset = 17;  // for models that import no default operator set
constexpr int kCastByNumber = 6;         // before this operator set, Cast names types in words

onnx::TensorProto::DataType element(Precision precision) {
  return precision == Precision::float16 ? onnx::TensorProto::FLOAT16 : onnx::TensorProto::FLOAT;
}

class Converter {
 public:
  // Changes `model`, to which `plan` belongs.
  Converter(model::Model& model, const Float16Rules& rules, Float16Plan& plan, Float16Weights& weights, bool only_round)
      : model_(model), rules_(rules), plan_(plan), weights_(weights), only_round_(only_round) {}

  base::Status run();

 private:
  base::Status rewrite(onnx::GraphProto& graph);
  base::Status rewrite_weights(onnx::GraphProto& graph, const Float16Scope& scope);
  base::Status rewrite_nodes(onnx::GraphProto& graph, const GraphPlan& plan);
  // Appends the nodes that have to follow it to `after`. `names`: those of the graph's nodes.
  base::Status rewrite_node(onnx::NodeProto& node, const NodePrecision& precision, const Float16Scope& scope,
                            edit::NodeNames& names, Nodes& after);
  base::Status rewrite_constant(const onnx::NodeProto& node, const Float16Scope::Entry& entry, edit::NodeNames& names,
                                Nodes& nodes);
  void rewrite_values(onnx::GraphProto& graph, const GraphPlan& plan);
  void add_cast(const PrecisionCast& cast, edit::NodeNames& names, Nodes& nodes);
  void add_rounding(const std::string& from, const std::string& to, edit::NodeNames& names, Nodes& nodes);
  onnx::NodeProto make_cast(const PrecisionCast& cast, edit::NodeNames& names) const;

  model::Model& model_;
  const Float16Rules& rules_;
  Float16Plan& plan_;
  Float16Weights& weights_;
  bool only_round_;
};

base::Status Converter::rewrite(onnx::GraphProto& graph) {
  const GraphPlan& plan = plan_.of(graph);
  ASSAY_TRY(rewrite_weights(graph, plan.scope));
  ASSAY_TRY(rewrite_nodes(graph, plan));
  rewrite_values(graph, plan);
  return {};
}

base::Status Converter::rewrite_weights(onnx::GraphProto& graph, const Float16Scope& scope) {
  const int count = graph.initializer_size();
  for (int i = 0; i < count; ++i) {
    const Float16Scope::Entry* entry = scope.find(graph.initializer(i).name());
    if (entry == nullptr || entry->origin != Float16Scope::Origin::weight) continue;
    if (!entry->names.contains(Precision::float16)) continue;
    const tensor::Float16Changes before = weights_.changes();
    ASSAY_ASSIGN(onnx::TensorProto half, weights_.convert(graph.initializer(i)));
    const std::string name = half.name();
    weights_.note(name, before);
    if (const auto second = entry->names.find(Precision::float32); second != entry->names.end()) {
      const bool keeps_name = second->second == name;
      onnx::TensorProto added = keeps_name ? half : graph.initializer(i);
      added.set_name(keeps_name ? entry->names.at(Precision::float16) : second->second);
      add_initializer(model_.proto, graph, std::move(added));
      if (keeps_name) continue;
    }
    *graph.mutable_initializer(i) = std::move(half);
  }
  return {};
}

base::Status Converter::rewrite_node(onnx::NodeProto& node, const NodePrecision& precision, const Float16Scope& scope,
                                     edit::NodeNames& names, Nodes& after) {
  base::Status status;
  edit::visit_bodies(node, [&](onnx::GraphProto& body) {
    if (status) status = rewrite(body);
  });
  ASSAY_TRY(status);
  for (int i = 0; i < node.input_size() && !precision.is_edge; ++i) {
    node.set_input(i, scope.name(node.input(i), precision.inputs[static_cast<std::size_t>(i)]));
  }
  if (precision.has_float16 && !only_round_) ASSAY_TRY(convert_attributes(node, *rules_.schema(node), weights_));
  for (std::string& output : *node.mutable_output()) {
    const Float16Scope::Entry* entry = scope.find(output);
    if (entry == nullptr) continue;
    output = entry->produced_name;
    if (!only_round_ || entry->precision != Precision::float16 || entry->type != "tensor(float)") continue;
    output = plan_.fresh_name(entry->produced_name + "/unrounded");
    add_rounding(output, entry->produced_name, names, after);
  }
  return {};
}

// Like other weights, a Constant exists in each precision that is wanted.
base::Status Converter::rewrite_constant(const onnx::NodeProto& node, const Float16Scope::Entry& entry,
                                         edit::NodeNames& names, Nodes& nodes) {
  for (const auto& [precision, name] : entry.names) {
    onnx::NodeProto& constant = *nodes.Add();
    constant = node;
    constant.set_output(0, name);
    if (name != node.output(0)) names.give(constant, node.name());
    if (precision == Precision::float16) {
      const tensor::Float16Changes before = weights_.changes();
      ASSAY_TRY(convert_attributes(constant, *rules_.schema(node), weights_));
      weights_.note(node.output(0), before);
    }
  }
  return {};
}

base::Status Converter::rewrite_nodes(onnx::GraphProto& graph, const GraphPlan& plan) {
  edit::NodeNames names(graph);
  Nodes nodes;
  const auto add_casts = [&](const std::string& name) {
    const Float16Scope::Entry* entry = plan.scope.find(name);
    if (entry == nullptr) return;
    for (const PrecisionCast& cast : entry->casts) add_cast(cast, names, nodes);
  };
  for (const auto& input : graph.input()) add_casts(input.name());
  for (const auto& weight : graph.sparse_initializer()) {
    const std::string& name = weight.values().name();
    const bool is_input = std::ranges::find(graph.input(), name, &onnx::ValueInfoProto::name) != graph.input().end();
    if (!is_input) add_casts(name);
  }
  for (int at = 0; at < graph.node_size(); ++at) {
    onnx::NodeProto& node = *graph.mutable_node(at);
    const Float16Scope::Entry* constant = is_constant(node) ? plan.scope.find(node.output(0)) : nullptr;
    if (constant != nullptr) {
      ASSAY_TRY(rewrite_constant(node, *constant, names, nodes));
      continue;
    }
    const std::vector<std::string> outputs(node.output().begin(), node.output().end());
    Nodes after;
    ASSAY_TRY(rewrite_node(node, plan.nodes[static_cast<std::size_t>(at)], plan.scope, names, after));
    nodes.Add()->Swap(&node);
    for (onnx::NodeProto& added : after) nodes.Add()->Swap(&added);
    for (const std::string& output : outputs) add_casts(output);
  }
  graph.mutable_node()->Swap(&nodes);
  return {};
}

void Converter::rewrite_values(onnx::GraphProto& graph, const GraphPlan& plan) {
  const auto retype = [&](onnx::ValueInfoProto& value) {
    if (only_round_) return;
    const Float16Scope::Entry* entry = plan.scope.find(value.name());
    const auto half = entry == nullptr ? decltype(entry->names.end())() : entry->names.find(Precision::float16);
    if (entry != nullptr && half != entry->names.end() && half->second == value.name()) {
      to_float16(*value.mutable_type());
    }
  };
  for (onnx::ValueInfoProto& value : *graph.mutable_input()) retype(value);
  for (onnx::ValueInfoProto& value : *graph.mutable_value_info()) retype(value);
  if (&graph == &model_.graph()) return;
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
    const Precision edge = plan.kept ? Precision::float32 : Precision::float16;
    const bool half = edge == Precision::float16 && !only_round_ && is_float32(plan.scope.type(output.name()));
    output.set_name(plan.scope.name(output.name(), edge));
    if (half) to_float16(*output.mutable_type());
  }
}

void Converter::add_cast(const PrecisionCast& cast, edit::NodeNames& names, Nodes& nodes) {
  if (!only_round_) {
    *nodes.Add() = make_cast(cast, names);
  } else if (cast.precision == Precision::float16) {
    add_rounding(cast.from, cast.to, names, nodes);
  } else {
    onnx::NodeProto& node = *nodes.Add();
    node.set_op_type("Identity");
    node.add_input(cast.from);
    node.add_output(cast.to);
  }
}

void Converter::add_rounding(const std::string& from, const std::string& to, edit::NodeNames& names, Nodes& nodes) {
  const std::string half = plan_.fresh_name(to + "/rounded");
  *nodes.Add() = make_cast({from, half, Precision::float16}, names);
  *nodes.Add() = make_cast({half, to, Precision::float32}, names);
}

onnx::NodeProto Converter::make_cast(const PrecisionCast& cast, edit::NodeNames& names) const {
  onnx::NodeProto node;
  node.set_op_type("Cast");
  names.give(node, cast.to + "/Cast");
  node.add_input(cast.from);
  node.add_output(cast.to);
  const bool by_number = model::default_opset(model_.proto) >= kCastByNumber;
  const auto type = element(cast.precision);
  *node.add_attribute() =
      by_number ? onnx::MakeAttribute("to", type) : onnx::MakeAttribute("to", onnx::TensorProto::DataType_Name(type));
  return node;
}

// Returns the inputs with values that nodes read in float16.
std::vector<std::string> cast_inputs(const onnx::ModelProto& model, const Float16Plan& plan) {
  std::vector<std::string> names = model::inputs_with_values(model.graph());
  std::erase_if(names, [&](const std::string& name) {
    const Float16Scope::Entry* entry = plan.of(model.graph()).scope.find(name);
    return entry == nullptr || entry->casts.empty();
  });
  return names;
}

base::Status Converter::run() {
  ASSAY_TRY(rewrite(model_.graph()));
  base::Status status;
  model::visit_tensors(model_.proto, [&](onnx::TensorProto& tensor, model::TensorRole) {
    if (status) status = weights_.take_over(tensor);
  });
  return status;
}

}  // namespace

std::set<int> float16_nodes(const model::Model& model) {
  model::Model copy = model;
  const Float16Rules rules(copy);
  const Float16Plan plan = Float16Plan::make(copy, rules);
  std::set<int> numbers;
  edit::visit_graphs(copy.graph(), [&](const onnx::GraphProto& graph) {
    const GraphPlan& graph_plan = plan.of(graph);
    for (int at = 0; at < graph.node_size(); ++at) {
      if (is_constant(graph.node(at)) || !graph_plan.nodes[static_cast<std::size_t>(at)].has_float16) continue;
      numbers.insert(plan.first_number(graph) + at);
    }
  });
  return numbers;
}

base::Expected<Float16Model> convert_to_float16(const model::Model& model, const Float16Options& options) {
  Float16Model converted{.model = model, .changes = {}};
  ASSAY_TRY(inline_functions(converted.model));
  if (model::default_opset(converted.model.proto) == 0) {
    converted.model.proto.add_opset_import()->set_version(kCastOpset);
  }
  const Float16Rules rules(converted.model);
  Float16Plan plan = Float16Plan::make(converted.model, rules, options.keep);
  ASSAY_ASSIGN(Float16Weights weights, Float16Weights::create(model, options.only_round));
  ASSAY_TRY(Converter(converted.model, rules, plan, weights, options.only_round).run());
  converted.float16_nodes = plan.float16_nodes;
  converted.float32_nodes = plan.float32_nodes;
  converted.unknown_nodes = plan.unknown_nodes;
  converted.sequence_nodes = plan.sequence_nodes;
  converted.inputs_with_values = cast_inputs(converted.model.proto, plan);
  converted.changes = weights.changes();
  converted.changed_weights = weights.changed();
  ASSAY_TRY(weights.finish(converted.model));
  return converted;
}

}  // namespace assay::surgeon
