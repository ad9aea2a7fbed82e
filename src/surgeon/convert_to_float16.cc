#include "surgeon/convert_to_float16.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "edit/visit_graphs.h"
#include "model/visit_tensors.h"
#include "surgeon/constants.h"
#include "surgeon/float16_attributes.h"
#include "surgeon/float16_plan.h"
#include "surgeon/float16_weights.h"
#include "surgeon/inline_functions.h"

namespace assay::surgeon {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

constexpr std::int64_t kCastOpset = 17;  // for models that import no default operator set
constexpr int kCastByNumber = 6;         // before this operator set, Cast names types in words

onnx::TensorProto::DataType element(Precision precision) {
  return precision == Precision::float16 ? onnx::TensorProto::FLOAT16 : onnx::TensorProto::FLOAT;
}

// Replaces float32 inside a type, be it of a tensor, a sequence or an optional.
void to_float16(onnx::TypeProto& type) {
  if (type.has_sequence_type()) return to_float16(*type.mutable_sequence_type()->mutable_elem_type());
  if (type.has_optional_type()) return to_float16(*type.mutable_optional_type()->mutable_elem_type());
  if (type.tensor_type().elem_type() != onnx::TensorProto::FLOAT) return;
  type.mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT16);
}

class Converter {
 public:
  // Changes `model`, to which `plan` belongs.
  Converter(model::Model& model, const Float16Rules& rules, const Float16Plan& plan, Float16Weights& weights)
      : model_(model), rules_(rules), plan_(plan), weights_(weights) {}

  base::Status run();

 private:
  base::Status rewrite(onnx::GraphProto& graph);
  base::Status rewrite_weights(onnx::GraphProto& graph, const Float16Scope& scope);
  base::Status rewrite_nodes(onnx::GraphProto& graph, const GraphPlan& plan);
  base::Status rewrite_node(onnx::NodeProto& node, const NodePrecision& precision, const Float16Scope& scope);
  base::Status rewrite_constant(const onnx::NodeProto& node, const Float16Scope::Entry& entry, Nodes& nodes);
  void rewrite_values(onnx::GraphProto& graph, const GraphPlan& plan);
  onnx::NodeProto make_cast(const PrecisionCast& cast) const;

  model::Model& model_;
  const Float16Rules& rules_;
  const Float16Plan& plan_;
  Float16Weights& weights_;
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
    if (entry == nullptr || !entry->names.contains(Precision::float16)) continue;
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

base::Status Converter::rewrite_node(onnx::NodeProto& node, const NodePrecision& precision, const Float16Scope& scope) {
  base::Status status;
  edit::visit_bodies(node, [&](onnx::GraphProto& body) {
    if (status) status = rewrite(body);
  });
  ASSAY_TRY(status);
  for (int i = 0; i < node.input_size(); ++i) {
    node.set_input(i, scope.name(node.input(i), precision.inputs[static_cast<std::size_t>(i)]));
  }
  if (precision.has_float16) ASSAY_TRY(convert_attributes(node, *rules_.schema(node), weights_));
  for (std::string& output : *node.mutable_output()) {
    if (const Float16Scope::Entry* entry = scope.find(output)) output = entry->made_name;
  }
  return {};
}

// Like other weights, a Constant exists in each precision that is wanted.
base::Status Converter::rewrite_constant(const onnx::NodeProto& node, const Float16Scope::Entry& entry, Nodes& nodes) {
  for (const auto& [precision, name] : entry.names) {
    onnx::NodeProto& constant = *nodes.Add();
    constant = node;
    constant.set_output(0, name);
    if (precision == Precision::float16) {
      const tensor::Float16Changes before = weights_.changes();
      ASSAY_TRY(convert_attributes(constant, *rules_.schema(node), weights_));
      weights_.note(node.output(0), before);
    }
  }
  return {};
}

base::Status Converter::rewrite_nodes(onnx::GraphProto& graph, const GraphPlan& plan) {
  Nodes nodes;
  const auto add_casts = [&](const std::string& name) {
    const Float16Scope::Entry* entry = plan.scope.find(name);
    if (entry == nullptr) return;
    for (const PrecisionCast& cast : entry->casts) *nodes.Add() = make_cast(cast);
  };
  for (const auto& input : graph.input()) add_casts(input.name());
  for (const auto& weight : graph.sparse_initializer()) add_casts(weight.values().name());
  for (int at = 0; at < graph.node_size(); ++at) {
    onnx::NodeProto& node = *graph.mutable_node(at);
    const Float16Scope::Entry* constant = is_constant(node) ? plan.scope.find(node.output(0)) : nullptr;
    if (constant != nullptr) {
      ASSAY_TRY(rewrite_constant(node, *constant, nodes));
      continue;
    }
    const std::vector<std::string> outputs(node.output().begin(), node.output().end());
    ASSAY_TRY(rewrite_node(node, plan.nodes[static_cast<std::size_t>(at)], plan.scope));
    nodes.Add()->Swap(&node);
    for (const std::string& output : outputs) add_casts(output);
  }
  graph.mutable_node()->Swap(&nodes);
  return {};
}

void Converter::rewrite_values(onnx::GraphProto& graph, const GraphPlan& plan) {
  const auto retype = [&](onnx::ValueInfoProto& value) {
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
    const bool half = edge == Precision::float16 && is_float32(plan.scope.type(output.name()));
    output.set_name(plan.scope.name(output.name(), edge));
    if (half) to_float16(*output.mutable_type());
  }
}

onnx::NodeProto Converter::make_cast(const PrecisionCast& cast) const {
  onnx::NodeProto node;
  node.set_op_type("Cast");
  node.set_name(cast.to + "/Cast");
  node.add_input(cast.from);
  node.add_output(cast.to);
  onnx::AttributeProto& to = *node.add_attribute();
  to.set_name("to");
  if (model::default_opset(model_.proto) < kCastByNumber) {
    to.set_type(onnx::AttributeProto::STRING);
    to.set_s(onnx::TensorProto::DataType_Name(element(cast.precision)));
  } else {
    to.set_type(onnx::AttributeProto::INT);
    to.set_i(element(cast.precision));
  }
  return node;
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

base::Expected<Float16Model> convert_to_float16(const model::Model& model) {
  Float16Model converted{.model = model, .weights = nullptr, .changes = {}};
  ASSAY_TRY(inline_functions(converted.model));
  if (model::default_opset(converted.model.proto) == 0) {
    converted.model.proto.add_opset_import()->set_version(kCastOpset);
  }
  const Float16Rules rules(converted.model);
  ASSAY_ASSIGN(const Float16Plan plan, Float16Plan::make(converted.model, rules));
  ASSAY_ASSIGN(Float16Weights weights, Float16Weights::create(model));
  ASSAY_TRY(Converter(converted.model, rules, plan, weights).run());
  converted.float16_nodes = plan.float16_nodes;
  converted.float32_nodes = plan.float32_nodes;
  converted.unknown_nodes = plan.unknown_nodes;
  converted.changes = weights.changes();
  converted.changed_weights = weights.changed();
  ASSAY_ASSIGN(converted.weights, weights.finish(converted.model));
  return converted;
}

}  // namespace assay::surgeon
