#include "surgeon/graph/quantized_parts.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "edit/visit_graphs.h"
#include "model/inference/infer_shapes.h"
#include "model/operator_schema.h"
#include "model/shapes.h"
#include "surgeon/graph/same_weight.h"
#include "tensor/element_type.h"

namespace assay::surgeon {
namespace {

using model::GraphView;
using model::kNone;
using model::NodeId;
using model::TensorId;
using Types = std::map<std::string, tensor::ElementType>;

// Returns the element types that the model declares or that follow from it.
Types element_types(const model::Model& model) {
  Types types;
  const auto add = [&types](const std::string& name, const model::TensorInfo& info) {
    if (info.type != tensor::ElementType::undefined) types.emplace(name, info.type);
  };
  for (const auto& [name, info] : model::known_tensors(model)) add(name, info);
  if (const auto inferred = model::inferred_values(model)) {
    for (const auto* values : {&inferred->value_info(), &inferred->output()}) {
      for (const onnx::ValueInfoProto& value : *values) add(value.name(), model::tensor_info(value));
    }
  }
  return types;
}

// Returns the bodies of a node as bytes.
std::string bodies_of(const onnx::NodeProto& node) {
  std::string bytes;
  edit::visit_bodies(node, [&](const onnx::GraphProto& body) { bytes += body.SerializeAsString(); });
  return bytes;
}

// Returns whether the node of the float model is valid in the quantized model's version of its operator.
bool is_valid(const onnx::NodeProto& node, const model::Model& floats, const model::Model& quantized) {
  const onnx::OpSchema* schema = model::standard_schema(floats.proto, node);
  const onnx::OpSchema* other = model::standard_schema(quantized.proto, node);
  if (schema == nullptr || other == nullptr || schema == other) return true;
  try {
    other->Verify(node);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

class Finder {
 public:
  Finder(const model::Model& floats, const model::Model& quantized)
      : float_model_(floats),
        quantized_model_(quantized),
        floats_(floats.graph()),
        quantized_(quantized.graph()),
        float_types_(element_types(floats)),
        quantized_types_(element_types(quantized)) {}

  [[nodiscard]] std::vector<QuantizedPart> parts() const {
    std::vector<QuantizedPart> found;
    for (NodeId node = 0; node < floats_.node_count(); ++node) {
      QuantizedPart part{.nodes = {}, .outputs = common_outputs(node)};
      if (part.outputs.empty()) continue;
      std::optional<std::vector<NodeId>> nodes = nodes_up_to(node);
      if (!nodes || (nodes->size() == 1 && is_same(node, part.outputs.front()))) continue;
      part.nodes = *std::move(nodes);
      found.push_back(std::move(part));
    }
    return found;
  }

 private:
  // Returns whether the quantized model has the tensor of this name in another type.
  [[nodiscard]] bool has_other_type(const std::string& name) const {
    const auto type = float_types_.find(name);
    const auto other = quantized_types_.find(name);
    return type != float_types_.end() && other != quantized_types_.end() && type->second != other->second;
  }

  // Returns the outputs of the node that the quantized model computes, too.
  [[nodiscard]] std::vector<std::string> common_outputs(NodeId node) const {
    std::vector<std::string> names;
    for (const TensorId output : floats_.outputs(node)) {
      const std::string name(floats_.name(output));
      if (quantized_.producer(quantized_.find(name)) != kNone && !has_other_type(name)) names.push_back(name);
    }
    return names;
  }

  // Returns the node and those in front of it, up to tensors that both models have; nothing if it needs a tensor that
  // the quantized model doesn't have in the same type.
  [[nodiscard]] std::optional<std::vector<NodeId>> nodes_up_to(NodeId last) const {
    std::set<NodeId> nodes = {last};
    std::vector<NodeId> pending = {last};
    while (!pending.empty()) {
      const NodeId node = pending.back();
      pending.pop_back();
      for (const TensorId input : floats_.inputs(node)) {
        if (floats_.is_initializer(input)) continue;
        const NodeId producer = floats_.producer(input);
        if (const std::string name(floats_.name(input)); quantized_.find(name) != kNone) {
          if (has_other_type(name)) return std::nullopt;
        } else if (producer == kNone) {
          return std::nullopt;
        } else if (nodes.insert(producer).second) {
          pending.push_back(producer);
        }
      }
    }
    return std::vector<NodeId>(nodes.begin(), nodes.end());
  }

  // Returns whether the quantized model computes this output of the node by the same node.
  [[nodiscard]] bool is_same(NodeId id, const std::string& output) const {
    const onnx::NodeProto& node = floats_.node(id);
    const onnx::NodeProto& other = quantized_.node(quantized_.producer(quantized_.find(output)));
    return node.op_type() == other.op_type() && model::domain_key(node.domain()) == model::domain_key(other.domain()) &&
           std::ranges::equal(node.input(), other.input()) && std::ranges::equal(node.output(), other.output()) &&
           bodies_of(node) == bodies_of(other) &&
           std::ranges::all_of(floats_.inputs(id), [this](TensorId input) { return has_same_weight(input); });
  }

  // Returns whether the tensor isn't a weight of the float model, or is the same weight in the quantized model.
  [[nodiscard]] bool has_same_weight(TensorId input) const {
    const onnx::TensorProto* weight = floats_.initializer(input);
    if (weight == nullptr) return true;
    const onnx::TensorProto* other = quantized_.initializer(quantized_.find(weight->name()));
    return other != nullptr && same_weight(float_model_, *weight, quantized_model_, *other);
  }

  const model::Model& float_model_;
  const model::Model& quantized_model_;
  GraphView floats_;
  GraphView quantized_;
  Types float_types_;
  Types quantized_types_;
};

}  // namespace

std::vector<QuantizedPart> find_quantized_parts(const model::Model& floats, const model::Model& quantized) {
  std::vector<QuantizedPart> parts = Finder(floats, quantized).parts();
  std::erase_if(parts, [&](const QuantizedPart& part) {
    return std::ranges::any_of(part.nodes,
                               [&](NodeId node) { return !is_valid(floats.graph().node(node), floats, quantized); });
  });
  return parts;
}

}  // namespace assay::surgeon
