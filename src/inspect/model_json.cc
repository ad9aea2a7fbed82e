#include "inspect/model_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "inspect/tensor_json.h"
#include "model/onnx_facts.h"

namespace assay::inspect {
namespace {

using Json = nlohmann::ordered_json;

Json elements(const tensor::Tensor& tensor) {
  Json list = Json::array();
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(tensor.size(), kMaxJsonValues); ++i) {
    list.push_back(element_json(tensor, i));
  }
  if (tensor.size() <= kMaxJsonValues) return list;
  return {{"first", std::move(list)}, {"count", tensor.size()}};
}

Json json(const WeightDescription& weight) {
  Json object = {
      {"name", weight.name}, {"dtype", tensor::name(weight.type)}, {"shape", weight.shape}, {"bytes", weight.bytes}};
  if (weight.nonzero) object["stored"] = *weight.nonzero;
  if (weight.values) object["values"] = elements(*weight.values);
  if (weight.indices) object["indices"] = elements(*weight.indices);
  if (!weight.missing.empty()) object["missing"] = weight.missing;
  return object;
}

Json json(const ValueDescription& value) {
  Json object = {{"name", value.name}, {"dtype", nullptr}, {"shape", nullptr}};
  if (!value.type.empty()) object["dtype"] = value.type;
  if (value.shape) {
    Json shape = Json::array();
    for (const model::Dimension& dimension : *value.shape) {
      const bool symbolic = dimension.value < 0 && !dimension.symbol.empty();
      shape.push_back(symbolic ? Json(dimension.symbol) : Json(dimension.value));
    }
    object["shape"] = std::move(shape);
  }
  if (value.is_initializer) object["initializer"] = true;
  return object;
}

Json json(const GraphDescription& graph, const DescribeOptions& options);

template <class T>
Json json_list(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(json(item));
  return list;
}

struct AttributeJson {
  const DescribeOptions& options;

  Json operator()(std::int64_t value) const { return value; }
  Json operator()(float value) const { return number_json(value); }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const std::vector<std::int64_t>& values) const { return values; }
  Json operator()(const std::vector<float>& values) const {
    Json list = Json::array();
    for (const float value : values) list.push_back(number_json(value));
    return list;
  }
  Json operator()(const std::vector<std::string>& values) const { return values; }
  Json operator()(tensor::ElementType type) const { return tensor::name(type); }
  Json operator()(const WeightDescription& weight) const { return json(weight); }
  Json operator()(const std::vector<WeightDescription>& weights) const { return json_list(weights); }
  Json operator()(const std::vector<GraphDescription>& bodies) const {
    Json list = Json::array();
    for (const GraphDescription& body : bodies) list.push_back(json(body, options));
    return bodies.size() == 1 ? list[0] : list;
  }
  Json operator()(const TypeText& type) const { return type.text; }
  Json operator()(const AttributeReference& reference) const { return {{"function_attribute", reference.name}}; }
};

Json json(const std::vector<AttributeDescription>& attributes, const DescribeOptions& options) {
  Json object = Json::object();
  for (const AttributeDescription& attribute : attributes) {
    object[attribute.name] = std::visit(AttributeJson{options}, attribute.value);
  }
  return object;
}

Json json(const NodeDescription& node, const DescribeOptions& options) {
  Json object = {{"name", node.name},
                 {"op", node.op_type},
                 {"domain", node.domain},
                 {"inputs", json_list(node.inputs)},
                 {"outputs", json_list(node.outputs)}};
  if (!node.overload.empty()) object["overload"] = node.overload;
  if (!options.attributes) return object;
  if (!node.doc.empty()) object["doc"] = node.doc;
  for (const auto& [key, value] : node.metadata) object["metadata"][key] = value;
  object["attributes"] = json(node.attributes, options);
  return object;
}

// The most frequent first.
Json counts(const model::OperatorCounts& operators) {
  Json object = Json::object();
  for (const auto& [name, count] : model::most_frequent_first(operators)) object[name] = count;
  return object;
}

Json json(const GraphDescription& graph, const DescribeOptions& options) {
  Json types = Json::object();
  for (const auto& [type, weights] : graph.initializer_types) {
    types[type] = {{"count", weights.count}, {"bytes", weights.bytes}};
  }
  Json object = {{"name", graph.name},
                 {"doc", graph.doc},
                 {"inputs", json_list(graph.inputs)},
                 {"outputs", json_list(graph.outputs)},
                 {"initializer_count", graph.initializer_count},
                 {"initializer_bytes", graph.initializer_bytes},
                 {"initializer_types", std::move(types)},
                 {"node_count", graph.node_count},
                 {"operators", counts(graph.operators.direct)},
                 {"body_operators", counts(graph.operators.inside)}};
  if (options.layers || options.weights) object["initializers"] = json_list(graph.initializers);
  if (!options.layers) return object;
  Json nodes = Json::array();
  for (const NodeDescription& node : graph.nodes) nodes.push_back(json(node, options));
  object["nodes"] = std::move(nodes);
  return object;
}

Json opsets(const std::vector<OpsetDescription>& list) {
  Json object = Json::object();
  for (const OpsetDescription& opset : list) object[model::domain_name(opset.domain)] = opset.version;
  return object;
}

}  // namespace

std::string to_json(const ModelDescription& model, const DescribeOptions& options) {
  Json all_opsets = Json::object();
  if (model.opset > 0) all_opsets[std::string(model::kDefaultDomain)] = model.opset;
  all_opsets.update(opsets(model.other_opsets));
  Json metadata = Json::object();
  for (const auto& [key, value] : model.metadata) metadata[key] = value;
  Json functions = Json::array();
  for (const FunctionDescription& function : model.functions) {
    functions.push_back({{"name", function.name},
                         {"domain", function.domain},
                         {"opsets", opsets(function.opsets)},
                         {"attributes", function.attributes},
                         {"body", json(function.body, options)}});
    if (!function.overload.empty()) functions.back()["overload"] = function.overload;
    if (!function.defaults.empty()) functions.back()["defaults"] = json(function.defaults, options);
  }
  Json object = {{"name", model.graph.name},
                 {"is_network", model.is_network},
                 {"is_strongly_typed", model.is_strongly_typed},
                 {"ir_version", model.ir_version},
                 {"opsets", std::move(all_opsets)},
                 {"producer", model.producer},
                 {"doc", model.doc},
                 {"metadata", std::move(metadata)},
                 {"graph", json(model.graph, options)},
                 {"functions", std::move(functions)}};
  if (model.unbounded_sizes) {
    Json sizes = Json::array();
    for (const UnboundedDescription& size : *model.unbounded_sizes) {
      sizes.push_back({{"tensor", size.tensor}, {"node", size.node}});
    }
    object["unbounded_sizes"] = std::move(sizes);
  }
  return base::json_text(object, 2);
}

}  // namespace assay::inspect
