#include "reduce/values/infer_static_shapes.h"

#include <utility>
#include <vector>

#include "model/inference/infer_shapes.h"
#include "model/shapes.h"
#include "model/shapes_of_feeds.h"
#include "model/weights.h"
#include "reduce/values/evaluate_small.h"

namespace assay::reduce {
namespace {

std::optional<tensor::Shape> static_shape(const model::TensorInfo& info) {
  if (!model::is_static(info)) return std::nullopt;
  tensor::Shape shape;
  for (const model::Dimension& size : *info.shape) shape.push_back(size.value);
  return shape;
}

void take(const onnx::ValueInfoProto& value, std::map<std::string, tensor::Shape>& shapes) {
  if (auto shape = static_shape(model::tensor_info(value))) shapes.try_emplace(value.name(), *std::move(shape));
}

}  // namespace

base::Expected<onnx::GraphProto> infer_for_inputs(const model::Model& model, const tensor::NamedTensors& inputs) {
  model::Model copy = model;
  model::override_input_shapes(copy, model::shapes_of_feeds(model, inputs));
  return model::inferred_values(copy);
}

std::map<edit::TensorId, edit::SeenShape> shapes_for_inputs(const edit::Subject& subject,
                                                            const tensor::NamedTensors& inputs) {
  std::map<edit::TensorId, edit::SeenShape> shapes;
  const auto add = [&](const onnx::ValueInfoProto& value) {
    const edit::TensorId id = subject.view().find(value.name());
    const model::TensorInfo info = model::tensor_info(value);
    auto shape = static_shape(info);
    if (id != edit::kNone && shape) shapes.try_emplace(id, edit::SeenShape{id, info.type, *std::move(shape)});
  };
  for (const auto& [name, value] : inputs) {
    const edit::TensorId id = subject.view().find(name);
    if (id != edit::kNone) shapes.try_emplace(id, edit::SeenShape{id, value.type(), value.shape()});
  }
  for (const onnx::ValueInfoProto& input : subject.model().graph().input()) add(input);
  if (const auto inferred = infer_for_inputs(subject.model(), inputs)) {
    for (const onnx::ValueInfoProto& value : inferred->output()) add(value);
    for (const onnx::ValueInfoProto& value : inferred->value_info()) add(value);
  }
  return shapes;
}

std::map<std::string, tensor::Shape> infer_static_shapes(const model::Model& model,
                                                         const tensor::NamedTensors& inputs) {
  std::map<std::string, tensor::Shape> shapes;
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    if (const tensor::Tensor* value = inputs.find(input.name())) shapes.emplace(input.name(), value->shape());
  }
  if (const auto inferred = infer_for_inputs(model, inputs)) {
    for (const auto& value : inferred->output()) take(value, shapes);
    for (const auto& value : inferred->value_info()) take(value, shapes);
  }
  for (const auto& value : model.graph().output()) take(value, shapes);
  for (const auto& value : model.graph().value_info()) take(value, shapes);
  return shapes;
}

std::optional<tensor::Tensor> small_constant(const edit::Subject& subject, edit::TensorId id) {
  const auto read = [&](const onnx::TensorProto& proto) -> std::optional<tensor::Tensor> {
    const auto count = tensor::element_count(model::shape(proto));
    if (!count || *count > kSmallElements) return std::nullopt;
    auto value = model::read_weight(subject.model(), proto);
    return value ? std::optional(*std::move(value)) : std::nullopt;
  };
  if (const edit::NodeId node = subject.constant_node(id); node != edit::kNone) {
    const auto proto = edit::constant_value(subject.view().node(node));
    return proto ? read(*proto) : std::nullopt;
  }
  const onnx::TensorProto* proto = subject.view().initializer(id);
  return proto != nullptr ? read(*proto) : std::nullopt;
}

}  // namespace assay::reduce
