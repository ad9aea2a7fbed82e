#include "model/inference/inference_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/attributes.h"
#include "model/onnx_facts.h"

namespace assay::model {
namespace {

constexpr std::int64_t kLong = 1 << 20;

bool is_split_into_many(const onnx::NodeProto& node) {
  const std::int64_t outputs = int_attribute(node, "num_outputs", 0);
  return node.op_type() == "Split" && outputs > kLong && outputs > node.output_size();
}

// Returns whether the condition holds for a node of the graph or of a body, at any depth.
template <class Nodes, class Condition>
bool any_node(const Nodes& nodes, const Condition& condition) {
  return std::ranges::any_of(nodes, [&](const onnx::NodeProto& node) {
    return condition(node) || std::ranges::any_of(node.attribute(), [&](const onnx::AttributeProto& attribute) {
             return any_node(attribute.g().node(), condition) ||
                    std::ranges::any_of(attribute.graphs(),
                                        [&](const onnx::GraphProto& body) { return any_node(body.node(), condition); });
           });
  });
}

template <class Condition>
bool any_node(const onnx::ModelProto& model, const Condition& condition) {
  return any_node(model.graph().node(), condition) ||
         std::ranges::any_of(model.functions(),
                             [&](const onnx::FunctionProto& function) { return any_node(function.node(), condition); });
}

}  // namespace

bool has_long_vector(const onnx::GraphProto& graph) {
  const auto is_long = [](const onnx::ValueInfoProto& value) {
    const onnx::TensorShapeProto& shape = value.type().tensor_type().shape();
    return shape.dim_size() == 1 && shape.dim(0).dim_value() > kLong;
  };
  return std::ranges::any_of(graph.input(), is_long) || std::ranges::any_of(graph.value_info(), is_long) ||
         std::ranges::any_of(graph.initializer(), [](const onnx::TensorProto& tensor) {
           return tensor.dims_size() == 1 && tensor.dims(0) > kLong;
         });
}

std::string why_inference_is_unbounded(const onnx::ModelProto& model) {
  if (any_node(model, is_split_into_many)) {
    return fmt::format("a Split has num_outputs above {} and fewer outputs", kLong);
  }
  constexpr int kBoundedExpand = 13;
  const bool expands = opset_version(model, "") < kBoundedExpand && has_long_vector(model.graph()) &&
                       any_node(model, [](const onnx::NodeProto& node) { return node.op_type() == "Expand"; });
  if (expands) return fmt::format("the shape of an Expand may have more than {} elements", kLong);
  return {};
}

}  // namespace assay::model
