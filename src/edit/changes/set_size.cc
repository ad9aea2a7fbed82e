#include "edit/changes/set_size.h"

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "model/weights.h"

namespace assay::edit {
namespace {

onnx::TensorShapeProto::Dimension* find_size(onnx::ValueInfoProto& value, int axis) {
  if (!value.type().has_tensor_type() || axis < 0 || axis >= value.type().tensor_type().shape().dim_size()) {
    return nullptr;
  }
  return value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(axis);
}

// Returns the weight cut to the first `size` positions of an axis, or nothing if it can't be cut or read.
std::optional<onnx::TensorProto> cut(const model::Model& model, const onnx::TensorProto& weight, int axis,
                                     std::int64_t size) {
  const std::size_t bits = tensor::info(model::element_type(weight)).bits;
  if (bits < 8 || axis < 0 || axis >= weight.dims_size() || weight.dims(axis) <= size) return std::nullopt;
  const auto value = model::read_weight(model, weight);
  if (!value) return std::nullopt;
  const auto at = value->shape().begin() + axis;
  const auto outer = tensor::element_count({value->shape().begin(), at});
  const auto inner = tensor::element_count({at + 1, value->shape().end()});
  if (!outer || !inner) return std::nullopt;
  const std::size_t row = *inner * (bits / 8);
  const std::size_t before = row * static_cast<std::size_t>(*at), after = row * static_cast<std::size_t>(size);
  std::vector<std::byte> bytes(*outer * after);
  for (std::size_t i = 0; after > 0 && i < *outer; ++i) {
    std::memcpy(bytes.data() + i * after, value->bytes().data() + i * before, after);
  }
  tensor::Shape shape = value->shape();
  shape[static_cast<std::size_t>(axis)] = size;
  auto result = tensor::Tensor::make(value->type(), std::move(shape), tensor::Buffer::own(std::move(bytes)));
  return result ? std::optional(model::to_proto(weight.name(), *result)) : std::nullopt;
}

bool is_larger(const onnx::TensorShapeProto::Dimension& dim, bool is_input, std::int64_t size) {
  return dim.has_dim_value() ? dim.dim_value() > size : is_input;
}

}  // namespace

bool can_set_size(const model::Model& model, const std::string& tensor, int axis, std::int64_t size) {
  for (const onnx::TensorProto& weight : model.graph().initializer()) {
    if (weight.name() != tensor) continue;
    return axis >= 0 && axis < weight.dims_size() && weight.dims(axis) > size &&
           tensor::info(model::element_type(weight)).bits >= 8 && model::read_weight(model, weight).has_value();
  }
  const auto looks_larger = [&](const auto& values, bool is_input) {
    for (const onnx::ValueInfoProto& value : values) {
      const auto& shape = value.type().tensor_type().shape();
      if (value.name() != tensor || axis < 0 || axis >= shape.dim_size()) continue;
      if (is_larger(shape.dim(axis), is_input, size)) return true;
    }
    return false;
  };
  const onnx::GraphProto& graph = model.graph();
  return looks_larger(graph.input(), true) || looks_larger(graph.output(), false) ||
         looks_larger(graph.value_info(), false);
}

void set_size(model::Model& model, const std::string& tensor, int axis, std::int64_t size) {
  for (onnx::TensorProto& weight : *model.graph().mutable_initializer()) {
    if (weight.name() != tensor) continue;
    auto smaller = cut(model, weight, axis, size);
    if (!smaller) return;  // nothing else about the tensor may change then
    weight = *std::move(smaller);
  }
  const auto set = [&](auto& values, bool is_input) {
    for (onnx::ValueInfoProto& value : values) {
      if (value.name() != tensor) continue;
      onnx::TensorShapeProto::Dimension* dim = find_size(value, axis);
      if (dim != nullptr && is_larger(*dim, is_input, size)) dim->set_dim_value(size);
    }
  };
  set(*model.graph().mutable_input(), true);
  set(*model.graph().mutable_output(), false);
  set(*model.graph().mutable_value_info(), false);
}

}  // namespace assay::edit
