#include "surgeon/convert_to_float16.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edit/visit_graphs.h"
#include "model/visit_tensors.h"
#include "surgeon/constants.h"
#include "surgeon/float16_attributes.h"
#include "surgeon/float16_rules.h"
#include "surgeon/float16_scope.h"
#include "surgeon/float16_weights.h"
#include "surgeon/inline_functions.h"

namespace assay::surgeon {
namespace {

using Origin = Float16Scope::Origin;
using Names = std::unordered_set<std::string>;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

constexpr std::int64_t kCastOpset = 17;  // where a model imports no default operator set
constexpr int kCastByNumber = 6;         // before it, Cast names types in words

onnx::TensorProto::DataType element(Precision precision) {
  return precision == Precision::float16 ? onnx::TensorProto::FLOAT16 : onnx::TensorProto::FLOAT;
}

// float32 inside of a type, be it of a tensor, a sequence or an optional.
void to_float16(onnx::TypeProto& type) {
  if (type.has_sequence_type()) return to_float16(*type.mutable_sequence_type()->mutable_elem_type());
  if (type.has_optional_type()) return to_float16(*type.mutable_optional_type()->mutable_elem_type());
  if (type.tensor_type().elem_type() != onnx::TensorProto::FLOAT) return;
  type.mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT16);
}

bool is_constant(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" && (node.domain().empty() || node.domain() == "ai.onnx") &&
         node.output_size() == 1;
}

class Converter {
 public:
  Converter(const model::Model& model, Float16Weights& weights)
      : converted_{.model = model, .weights = nullptr, .changes = {}}, rules_(model), weights_(weights) {}

  base::Expected<Float16Model> run();

 private:
  // What is known of a graph. Nodes have the indices that they have before any is added.
  struct Known {
    Known(Float16Scope* outer, Types types) : scope(outer, std::move(types)) {}
    Float16Scope scope;
    bool kept = false;  // in a body of a node that is kept
    std::vector<NodePrecision> nodes;
    Names weights;
  };

  void collect_names();
  std::string fresh_name(const std::string& base);
  void define(onnx::GraphProto& graph, Float16Scope* outer, bool kept);
  void define_nodes(onnx::GraphProto& graph, Known& known, const Names& outputs);
  void count(const NodePrecision& node);
  base::Status rewrite(onnx::GraphProto& graph);
  base::Status rewrite_weights(onnx::GraphProto& graph, const Float16Scope& scope);
  base::Status rewrite_nodes(onnx::GraphProto& graph, const Known& known);
  base::Status rewrite_node(onnx::NodeProto& node, const NodePrecision& precision, const Float16Scope& scope);
  base::Status rewrite_constant(const onnx::NodeProto& node, const Float16Scope::Entry& entry, Nodes& nodes);
  void rewrite_values(onnx::GraphProto& graph, const Known& known);
  onnx::NodeProto make_cast(const PrecisionCast& cast) const;

  [[nodiscard]] bool is_whole(const onnx::GraphProto& graph) const { return &graph == &converted_.model.graph(); }

  Float16Model converted_;
  Float16Rules rules_;
  Float16Weights& weights_;
  std::map<const onnx::GraphProto*, Types> types_;
  std::map<const onnx::GraphProto*, Known> known_;
  Names names_;
};

void Converter::collect_names() {
  std::vector<Types> types = types_by_graph(converted_.model);
  std::size_t next = 0;
  edit::visit_graphs(converted_.model.graph(), [&](onnx::GraphProto& graph) {
    types_[&graph] = std::move(types[next++]);
    for (const auto& input : graph.input()) names_.insert(input.name());
    for (const auto& weight : graph.initializer()) names_.insert(weight.name());
    for (const auto& weight : graph.sparse_initializer()) names_.insert(weight.values().name());
    for (const onnx::NodeProto& node : graph.node()) names_.insert(node.output().begin(), node.output().end());
  });
}

std::string Converter::fresh_name(const std::string& base) {
  std::string name = base;
  for (int number = 1; !names_.insert(name).second; ++number) name = fmt::format("{}_{}", base, number);
  return name;
}

void Converter::define(onnx::GraphProto& graph, Float16Scope* outer, bool kept) {
  Known& known = known_.try_emplace(&graph, outer, std::move(types_[&graph])).first->second;
  known.kept = kept;
  const bool whole = is_whole(graph);
  const Precision edge = whole || kept ? Precision::float32 : Precision::float16;
  Names outputs;
  if (whole) {
    for (const auto& output : graph.output()) outputs.insert(output.name());
  }
  for (const onnx::TensorProto& weight : graph.initializer()) {
    known.weights.insert(weight.name());
    known.scope.define(weight.name(), Origin::weight, Precision::float32, outputs.contains(weight.name()));
  }
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) {
    const std::string& name = weight.values().name();
    known.scope.define(name, Origin::given, Precision::float32, outputs.contains(name));
  }
  for (const auto& input : graph.input()) {
    if (known.weights.contains(input.name())) continue;
    known.scope.define(input.name(), Origin::given, edge, outputs.contains(input.name()));
  }
  define_nodes(graph, known, outputs);
  for (const auto& output : graph.output()) known.scope.want(output.name(), edge);
}

// Results of all nodes before what any reads: bodies read what is made after them in the file, where it is not sorted.
void Converter::define_nodes(onnx::GraphProto& graph, Known& known, const Names& outputs) {
  const auto type_of = [&](const std::string& name) -> const std::string& { return known.scope.type(name); };
  for (const onnx::NodeProto& node : graph.node()) {
    for (int i = 0; i < node.output_size(); ++i) {
      if (!type_of(node.output(i)).empty()) continue;
      known.scope.set_type(node.output(i), rules_.output_type(node, i, type_of));
    }
    NodePrecision& precision = known.nodes.emplace_back(rules_.precision(node, type_of, known.kept));
    count(precision);
    for (int i = 0; i < node.output_size(); ++i) {
      const std::string& name = node.output(i);
      const Origin origin = is_constant(node) ? Origin::weight : Origin::made;
      if (!name.empty()) {
        known.scope.define(name, origin, precision.outputs[static_cast<std::size_t>(i)], outputs.contains(name));
      }
    }
  }
  for (int at = 0; at < graph.node_size(); ++at) {
    onnx::NodeProto& node = *graph.mutable_node(at);
    const NodePrecision& precision = known.nodes[static_cast<std::size_t>(at)];
    for (int i = 0; i < node.input_size(); ++i) {
      known.scope.want(node.input(i), precision.inputs[static_cast<std::size_t>(i)]);
    }
    edit::visit_bodies(node, [&](onnx::GraphProto& body) { define(body, &known.scope, precision.kept); });
  }
}

void Converter::count(const NodePrecision& node) {
  converted_.float16_nodes += static_cast<int>(node.has_float16);
  converted_.float32_nodes += static_cast<int>(node.has_float32);
  converted_.unknown_nodes += static_cast<int>(node.has_float32 && node.kept);
}

base::Status Converter::rewrite(onnx::GraphProto& graph) {
  const Known& known = known_.at(&graph);
  ASSAY_TRY(rewrite_weights(graph, known.scope));
  ASSAY_TRY(rewrite_nodes(graph, known));
  rewrite_values(graph, known);
  return {};
}

base::Status Converter::rewrite_weights(onnx::GraphProto& graph, const Float16Scope& scope) {
  const int count = graph.initializer_size();
  for (int i = 0; i < count; ++i) {
    const Float16Scope::Entry* entry = scope.find(graph.initializer(i).name());
    if (entry == nullptr || !entry->names.contains(Precision::float16)) continue;
    ASSAY_ASSIGN(onnx::TensorProto half, weights_.convert(graph.initializer(i)));
    const std::string name = half.name();
    if (const auto second = entry->names.find(Precision::float32); second != entry->names.end()) {
      const bool keeps_name = second->second == name;
      onnx::TensorProto added = keeps_name ? half : graph.initializer(i);
      added.set_name(keeps_name ? entry->names.at(Precision::float16) : second->second);
      add_initializer(converted_.model.proto, graph, std::move(added));
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
  const bool half = std::ranges::find(precision.outputs, Precision::float16) != precision.outputs.end();
  if (half || precision.has_float16) ASSAY_TRY(convert_attributes(node, *rules_.schema(node), weights_));
  for (std::string& output : *node.mutable_output()) {
    if (const Float16Scope::Entry* entry = scope.find(output)) output = entry->made_name;
  }
  return {};
}

// A Constant is there in each precision that is wanted, as other weights are.
base::Status Converter::rewrite_constant(const onnx::NodeProto& node, const Float16Scope::Entry& entry, Nodes& nodes) {
  for (const auto& [precision, name] : entry.names) {
    onnx::NodeProto& constant = *nodes.Add();
    constant = node;
    constant.set_output(0, name);
    if (precision == Precision::float16) {
      ASSAY_TRY(convert_attributes(constant, *rules_.schema(node), weights_));
    }
  }
  return {};
}

base::Status Converter::rewrite_nodes(onnx::GraphProto& graph, const Known& known) {
  Nodes nodes;
  const auto add_casts = [&](const std::string& name) {
    const Float16Scope::Entry* entry = known.scope.find(name);
    if (entry == nullptr) return;
    for (const PrecisionCast& cast : entry->casts) *nodes.Add() = make_cast(cast);
  };
  for (const auto& input : graph.input()) add_casts(input.name());
  for (const auto& weight : graph.sparse_initializer()) add_casts(weight.values().name());
  for (int at = 0; at < graph.node_size(); ++at) {
    onnx::NodeProto& node = *graph.mutable_node(at);
    const Float16Scope::Entry* constant = is_constant(node) ? known.scope.find(node.output(0)) : nullptr;
    if (constant != nullptr) {
      ASSAY_TRY(rewrite_constant(node, *constant, nodes));
      continue;
    }
    const std::vector<std::string> outputs(node.output().begin(), node.output().end());
    ASSAY_TRY(rewrite_node(node, known.nodes[static_cast<std::size_t>(at)], known.scope));
    nodes.Add()->Swap(&node);
    for (const std::string& output : outputs) add_casts(output);
  }
  graph.mutable_node()->Swap(&nodes);
  return {};
}

void Converter::rewrite_values(onnx::GraphProto& graph, const Known& known) {
  const auto retype = [&](onnx::ValueInfoProto& value) {
    const Float16Scope::Entry* entry = known.scope.find(value.name());
    const auto half = entry == nullptr ? decltype(entry->names.end())() : entry->names.find(Precision::float16);
    if (entry != nullptr && half != entry->names.end() && half->second == value.name()) {
      to_float16(*value.mutable_type());
    }
  };
  for (onnx::ValueInfoProto& value : *graph.mutable_input()) retype(value);
  for (onnx::ValueInfoProto& value : *graph.mutable_value_info()) retype(value);
  if (is_whole(graph)) return;
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
    const Precision edge = known.kept ? Precision::float32 : Precision::float16;
    const bool half = edge == Precision::float16 && is_float32(known.scope.type(output.name()));
    output.set_name(known.scope.name(output.name(), edge));
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
  if (model::default_opset(converted_.model.proto) < kCastByNumber) {
    to.set_type(onnx::AttributeProto::STRING);
    to.set_s(onnx::TensorProto::DataType_Name(element(cast.precision)));
  } else {
    to.set_type(onnx::AttributeProto::INT);
    to.set_i(element(cast.precision));
  }
  return node;
}

base::Expected<Float16Model> Converter::run() {
  onnx::ModelProto& proto = converted_.model.proto;
  if (model::default_opset(proto) == 0) proto.add_opset_import()->set_version(kCastOpset);
  collect_names();
  define(*proto.mutable_graph(), nullptr, false);
  for (auto& [graph, known] : known_) {
    ASSAY_TRY(known.scope.choose_names([&](const std::string& base) { return fresh_name(base); }));
  }
  ASSAY_TRY(rewrite(*proto.mutable_graph()));
  base::Status status;
  model::visit_tensors(proto, [&](onnx::TensorProto& tensor, model::TensorRole) {
    if (status) status = weights_.take_over(tensor);
  });
  ASSAY_TRY(status);
  converted_.changes = weights_.changes();
  ASSAY_ASSIGN(converted_.weights, weights_.finish(converted_.model));
  return std::move(converted_);
}

}  // namespace

base::Expected<Float16Model> convert_to_float16(const model::Model& model) {
  model::Model inlined = model;
  ASSAY_TRY(inline_functions(inlined));
  ASSAY_ASSIGN(Float16Weights weights, Float16Weights::create(inlined));
  return Converter(inlined, weights).run();
}

}  // namespace assay::surgeon
