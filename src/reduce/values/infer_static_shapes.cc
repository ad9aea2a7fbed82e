#include "reduce/values/infer_static_shapes.h"

#include <utility>
#include <vector>

#include "model/shapes.h"
#include "model/shapes_of_feeds.h"
#include "model/weights.h"
#include "reduce/values/evaluate_small.h"

namespace assay::reduce {
namespace {

void take(const onnx::ValueInfoProto& value, std::map<std::string, tensor::Shape>& shapes) {
  const model::TensorInfo info = model::tensor_info(value);
  if (!model::is_static(info)) return;
  tensor::Shape shape;
  for (const model::Dimension& size : *info.shape) shape.push_back(size.value);
  shapes.try_emplace(value.name(), std::move(shape));
}

}  // namespace

std::map<std::string, tensor::Shape> infer_static_shapes(const model::Model& model,
                                                         const tensor::NamedTensors& inputs) {
  std::map<std::string, tensor::Shape> shapes;
  model::Model copy = model;
  for (const onnx::ValueInfoProto& input : model.graph().input()) {
    if (const tensor::Tensor* value = inputs.find(input.name())) shapes.emplace(input.name(), value->shape());
  }
  model::override_input_shapes(copy, model::shapes_of_feeds(model, inputs));
  if (const auto inferred = model::inferred_values(copy)) {
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
