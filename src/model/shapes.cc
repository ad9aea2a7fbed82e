#include "model/shapes.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "model/weights.h"

namespace assay::model {

TensorInfo tensor_info(const onnx::ValueInfoProto& value) {
  TensorInfo info;
  if (!value.type().has_tensor_type()) return info;
  const onnx::TypeProto::Tensor& type = value.type().tensor_type();
  info.type = tensor::info(static_cast<tensor::ElementType>(type.elem_type())).type;
  if (!type.has_shape()) return info;
  info.shape.emplace();
  for (const auto& dim : type.shape().dim()) {
    const bool known = dim.has_dim_value() && dim.dim_value() >= 0;
    info.shape->push_back({known ? dim.dim_value() : -1, dim.dim_param()});
  }
  return info;
}

TensorInfo static_info(tensor::ElementType type, const tensor::Shape& shape) {
  TensorInfo info{.type = type, .shape = std::vector<Dimension>()};
  for (const std::int64_t size : shape) info.shape->push_back({.value = size, .symbol = {}});
  return info;
}

onnx::ValueInfoProto to_value_info(const std::string& name, const TensorInfo& info) {
  onnx::ValueInfoProto value;
  value.set_name(name);
  onnx::TypeProto::Tensor* type = value.mutable_type()->mutable_tensor_type();
  type->set_elem_type(static_cast<std::int32_t>(info.type));
  if (!info.shape) return value;
  onnx::TensorShapeProto* shape = type->mutable_shape();
  for (const Dimension& dimension : *info.shape) {
    auto* dim = shape->add_dim();
    if (dimension.value >= 0) {
      dim->set_dim_value(dimension.value);
    } else if (!dimension.symbol.empty()) {
      dim->set_dim_param(dimension.symbol);
    }
  }
  return value;
}

namespace {

template <class Dims>
onnx::ValueInfoProto weight_info(const onnx::TensorProto& values, const Dims& dims) {
  onnx::ValueInfoProto value;
  value.set_name(values.name());
  onnx::TypeProto::Tensor& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(values.data_type());
  type.mutable_shape();  // also of a scalar
  for (const std::int64_t size : dims) type.mutable_shape()->add_dim()->set_dim_value(size);
  return value;
}

}  // namespace

onnx::ValueInfoProto to_value_info(const onnx::TensorProto& weight) {
  return weight_info(weight, weight.dims());
}

onnx::ValueInfoProto to_value_info(const onnx::SparseTensorProto& weight) {
  return weight_info(weight.values(), weight.dims());
}

void set_rank(onnx::TypeProto::Tensor& type, int rank) {
  onnx::TensorShapeProto& shape = *type.mutable_shape();
  shape.Clear();
  for (int axis = 0; axis < rank; ++axis) shape.add_dim();
}

bool is_static(const TensorInfo& info) {
  return info.shape && std::ranges::all_of(*info.shape, [](const Dimension& dim) { return dim.value >= 0; });
}

namespace {

// Adds to `known` what only `more` knows.
void complete(TensorInfo& known, const TensorInfo& more) {
  if (known.type == tensor::ElementType::undefined) known.type = more.type;
  if (!known.shape || (more.shape && !is_static(known) && is_static(more))) {
    if (more.shape) known.shape = more.shape;
  }
}

}  // namespace

std::map<std::string, TensorInfo> known_tensors(const Model& model) {
  const onnx::GraphProto& graph = model.graph();
  std::map<std::string, TensorInfo> known;
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    complete(known[tensor.name()], static_info(element_type(tensor), shape(tensor)));
  }
  for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer()) {
    complete(known[sparse.values().name()],
             static_info(element_type(sparse.values()), {sparse.dims().begin(), sparse.dims().end()}));
  }
  for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const onnx::ValueInfoProto& value : *values) complete(known[value.name()], tensor_info(value));
  }
  return known;
}

namespace {

// The rank stays: ONNX Runtime refuses a Loop whose body doesn't say the rank of the iteration number.
void remove_input_sizes(onnx::GraphProto& body) {
  for (onnx::ValueInfoProto& input : *body.mutable_input()) {
    if (!input.type().tensor_type().has_shape()) continue;
    onnx::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
    set_rank(type, type.shape().dim_size());
  }
}

// An input or an initializer that is also an output keeps its shape there: inference would take the output's
// declaration for this tensor, even one without a shape.
void remove_output_shapes(onnx::GraphProto& graph) {
  std::map<std::string_view, const onnx::TypeProto*> inputs;
  for (const onnx::ValueInfoProto& input : graph.input()) {
    if (input.type().has_tensor_type()) inputs.emplace(input.name(), &input.type());
  }
  std::set<std::string_view> initializers;
  for (const onnx::TensorProto& initializer : graph.initializer()) initializers.insert(initializer.name());
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
    if (const auto input = inputs.find(output.name()); input != inputs.end()) {
      *output.mutable_type() = *input->second;
    } else if (output.type().has_tensor_type() && !initializers.contains(output.name())) {
      output.mutable_type()->mutable_tensor_type()->clear_shape();
    }
  }
}

}  // namespace

void remove_stale_shapes_in_bodies(onnx::GraphProto& graph) {
  const auto remove_in_body = [](onnx::GraphProto& body) {
    remove_input_sizes(body);
    remove_stale_shapes(body);
  };
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) remove_in_body(*attribute.mutable_g());
      for (onnx::GraphProto& body : *attribute.mutable_graphs()) remove_in_body(body);
    }
  }
}

void remove_stale_shapes(onnx::GraphProto& graph) {
  graph.clear_value_info();
  remove_output_shapes(graph);
  remove_stale_shapes_in_bodies(graph);
}

void override_input_shapes(Model& model, const std::map<std::string, std::vector<Dimension>>& shapes) {
  for (onnx::ValueInfoProto& input : *model.graph().mutable_input()) {
    const auto shape = shapes.find(input.name());
    const bool is_tensor =
        input.type().value_case() == onnx::TypeProto::VALUE_NOT_SET || input.type().has_tensor_type();
    if (shape == shapes.end() || !is_tensor) continue;
    TensorInfo info = tensor_info(input);
    info.shape = shape->second;
    *input.mutable_type() = to_value_info(input.name(), info).type();
  }
  remove_stale_shapes(model.graph());
}

}  // namespace assay::model
