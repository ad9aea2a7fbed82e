// Walks the model once. Bodies see the tensors of the graphs around them, so every graph looks names up in a chain of
// scopes, the innermost first.
#include <onnx/onnx_pb.h>

#include <unordered_map>

#include "inspect/describe_values.h"
#include "inspect/model_description.h"
#include "inspect/network_model.h"
#include "model/inference/unbounded_sizes.h"
#include "model/onnx_facts.h"

namespace assay::inspect {
namespace {

// Indexes what one graph declares about its tensors. Points into the message.
class Scope {
 public:
  Scope(const onnx::GraphProto& graph, const Scope* outer) : outer_(outer) {
    for (const auto& value : graph.value_info()) infos_.emplace(value.name(), &value);
    for (const auto& value : graph.input()) infos_.emplace(value.name(), &value);
    for (const auto& value : graph.output()) infos_.emplace(value.name(), &value);
    for (const auto& weight : graph.initializer()) weights_.emplace(weight.name(), &weight);
    for (const auto& weight : graph.sparse_initializer()) sparse_.emplace(weight.values().name(), &weight);
    if (outer == nullptr) return;
    // A name that this graph defines hides the outer one, even if the graph says no more about it.
    for (const auto& node : graph.node()) {
      for (const std::string& output : node.output()) infos_.emplace(output, nullptr);
    }
  }
  Scope(const onnx::FunctionProto& function) : outer_(nullptr) {
    for (const auto& value : function.value_info()) infos_.emplace(value.name(), &value);
  }

  [[nodiscard]] bool is_initializer(const std::string& name) const {
    return weights_.contains(name) || sparse_.contains(name);
  }

  [[nodiscard]] ValueDescription describe(const std::string& name) const {
    bool own = true;
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer_, own = false) {
      if (auto found = scope->find(name)) {
        found->is_initializer = found->is_initializer && own;
        return *std::move(found);
      }
    }
    return {name, {}, {}, false};
  }

 private:
  [[nodiscard]] std::optional<ValueDescription> find(const std::string& name) const {
    if (const auto at = weights_.find(name); at != weights_.end()) return describe_value(*at->second);
    if (const auto at = sparse_.find(name); at != sparse_.end()) return describe_value(*at->second);
    const auto at = infos_.find(name);
    if (at == infos_.end()) return std::nullopt;
    if (at->second == nullptr) return ValueDescription{name, {}, {}, false};
    return describe_value(*at->second);
  }

  const Scope* outer_;
  std::unordered_map<std::string_view, const onnx::ValueInfoProto*> infos_;
  std::unordered_map<std::string_view, const onnx::TensorProto*> weights_;
  std::unordered_map<std::string_view, const onnx::SparseTensorProto*> sparse_;
};

// Returns true for attributes that hold an element type as a number.
bool is_element_type(const onnx::AttributeProto& attribute) {
  return attribute.type() == onnx::AttributeProto::INT && (attribute.name() == "to" || attribute.name() == "dtype") &&
         tensor::info(static_cast<tensor::ElementType>(attribute.i())).type != tensor::ElementType::undefined;
}

class Describer {
 public:
  Describer(const model::Model& model, const DescribeOptions& options)
      : model_(model), options_(options), attribute_values_(options.weights || !is_network_model(model.proto)) {}

  GraphDescription graph(const onnx::GraphProto& graph, const Scope* outer, int depth) {
    const Scope scope(graph, outer);
    GraphDescription result;
    result.name = graph.name();
    result.doc = graph.doc_string();
    for (const auto& value : graph.input()) {
      if (!scope.is_initializer(value.name())) result.inputs.push_back(describe_value(value));
    }
    for (const auto& value : graph.output()) result.outputs.push_back(describe_value(value));
    result.node_count = static_cast<std::size_t>(graph.node_size());
    result.operators = model::count_operators(graph.node());
    add_initializers(graph, result);
    if (options_.layers) add_nodes(graph.node(), scope, depth, result);
    return result;
  }

  FunctionDescription function(const onnx::FunctionProto& function) {
    const Scope scope(function);
    FunctionDescription result;
    result.name = function.name();
    result.domain = function.domain();
    result.overload = function.overload();
    for (const auto& import : function.opset_import()) result.opsets.push_back({import.domain(), import.version()});
    result.attributes.assign(function.attribute().begin(), function.attribute().end());
    for (const auto& attribute : function.attribute_proto()) {
      result.attributes.push_back(attribute.name());
      if (options_.attributes) result.defaults.push_back({attribute.name(), value(attribute, scope, 0)});
    }
    result.body.name = function.name();
    result.body.doc = function.doc_string();
    for (const std::string& input : function.input()) result.body.inputs.push_back(scope.describe(input));
    for (const std::string& output : function.output()) result.body.outputs.push_back(scope.describe(output));
    result.body.node_count = static_cast<std::size_t>(function.node_size());
    result.body.operators = model::count_operators(function.node());
    if (options_.layers) add_nodes(function.node(), scope, 0, result.body);
    return result;
  }

  [[nodiscard]] bool too_deep() const { return too_deep_; }

 private:
  void add_initializers(const onnx::GraphProto& graph, GraphDescription& result) {
    result.initializer_count = static_cast<std::size_t>(graph.initializer_size() + graph.sparse_initializer_size());
    const bool listed = options_.layers || options_.weights;
    const auto add = [&](const auto& weight) {
      WeightDescription description = describe_weight(model_, weight, options_.weights);
      result.initializer_bytes += description.bytes;
      WeightCount& same_type = result.initializer_types[std::string(tensor::name(description.type))];
      ++same_type.count;
      same_type.bytes += description.bytes;
      if (listed) result.initializers.push_back(std::move(description));
    };
    for (const auto& weight : graph.initializer()) add(weight);
    for (const auto& weight : graph.sparse_initializer()) add(weight);
  }

  template <class Nodes>
  void add_nodes(const Nodes& nodes, const Scope& scope, int depth, GraphDescription& result) {
    result.nodes.reserve(static_cast<std::size_t>(nodes.size()));
    for (const onnx::NodeProto& node : nodes) {
      NodeDescription description{.name = node.name(),
                                  .op_type = node.op_type(),
                                  .domain = node.domain(),
                                  .overload = node.overload(),
                                  .inputs = {},
                                  .outputs = {},
                                  .attributes = {},
                                  .doc = {},
                                  .metadata = {}};
      for (const std::string& input : node.input()) description.inputs.push_back(scope.describe(input));
      for (const std::string& output : node.output()) description.outputs.push_back(scope.describe(output));
      if (options_.attributes) {
        for (const auto& attribute : node.attribute()) {
          description.attributes.push_back({attribute.name(), value(attribute, scope, depth)});
        }
        description.doc = node.doc_string();
        for (const auto& entry : node.metadata_props()) description.metadata.emplace_back(entry.key(), entry.value());
      }
      result.nodes.push_back(std::move(description));
    }
  }

  std::vector<GraphDescription> bodies(const onnx::AttributeProto& attribute, const Scope& scope, int depth) {
    if (depth >= kMaxNesting) {
      too_deep_ = true;
      return {};
    }
    std::vector<GraphDescription> result;
    if (attribute.type() == onnx::AttributeProto::GRAPH) result.push_back(graph(attribute.g(), &scope, depth + 1));
    for (const auto& body : attribute.graphs()) result.push_back(graph(body, &scope, depth + 1));
    return result;
  }

  AttributeValue value(const onnx::AttributeProto& attribute, const Scope& scope, int depth) {
    using Type = onnx::AttributeProto;
    if (!attribute.ref_attr_name().empty()) return AttributeReference{attribute.ref_attr_name()};
    if (is_element_type(attribute)) return static_cast<tensor::ElementType>(attribute.i());
    switch (attribute.type()) {
      case Type::INT:
        return attribute.i();
      case Type::FLOAT:
        return attribute.f();
      case Type::STRING:
        return attribute.s();
      case Type::INTS:
        return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
      case Type::FLOATS:
        return std::vector<float>(attribute.floats().begin(), attribute.floats().end());
      case Type::STRINGS:
        return std::vector<std::string>(attribute.strings().begin(), attribute.strings().end());
      case Type::TENSOR:
        return describe_weight(model_, attribute.t(), attribute_values_);
      case Type::SPARSE_TENSOR:
        return describe_weight(model_, attribute.sparse_tensor(), attribute_values_);
      case Type::TENSORS:
        return weights(attribute.tensors());
      case Type::SPARSE_TENSORS:
        return weights(attribute.sparse_tensors());
      case Type::GRAPH:
      case Type::GRAPHS:
        return bodies(attribute, scope, depth);
      case Type::TYPE_PROTO:
        return TypeText{type_text(attribute.tp())};
      default:
        return TypeText{};
    }
  }

  template <class Weights>
  std::vector<WeightDescription> weights(const Weights& list) {
    std::vector<WeightDescription> result;
    for (const auto& weight : list) result.push_back(describe_weight(model_, weight, attribute_values_));
    return result;
  }

  const model::Model& model_;
  const DescribeOptions& options_;
  bool attribute_values_;  // whether tensors in attributes have values; those of a network's layers are its weights
  bool too_deep_ = false;
};

}  // namespace

base::Expected<ModelDescription> describe(const model::Model& model, const DescribeOptions& options) {
  const onnx::ModelProto& proto = model.proto;
  ModelDescription result;
  result.ir_version = proto.ir_version();
  result.opset = model::default_opset(proto);
  for (const auto& import : proto.opset_import()) {
    if (!model::is_default_domain(import.domain())) result.other_opsets.push_back({import.domain(), import.version()});
  }
  result.is_network = is_network_model(proto);
  result.is_strongly_typed = result.is_network && proto.domain() == kStronglyTyped;
  result.producer = proto.producer_name();
  if (!proto.producer_version().empty()) result.producer += " " + proto.producer_version();
  result.doc = proto.doc_string();
  for (const auto& entry : proto.metadata_props()) result.metadata.emplace_back(entry.key(), entry.value());

  Describer describer(model, options);
  result.graph = describer.graph(proto.graph(), nullptr, 0);
  for (const auto& function : proto.functions()) result.functions.push_back(describer.function(function));
  if (describer.too_deep()) {
    return base::fail(base::ErrorKind::invalid_input, "bodies of nodes are nested too deeply", model.path.string(),
                      "Show the model without attributes");
  }
  if (options.unbounded_sizes) {
    const model::GraphView view(proto.graph());
    result.unbounded_sizes.emplace();
    result.unknown_sizes = model::count_unknown_sizes(view);
    for (const model::UnboundedSize& size : model::find_unbounded_sizes(view)) {
      result.unbounded_sizes->push_back({size.tensor, model::describe_node(view.node(size.node), size.node)});
    }
  }
  return result;
}

}  // namespace assay::inspect
