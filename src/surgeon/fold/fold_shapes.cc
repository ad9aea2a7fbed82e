// Every rule covers one operator: it returns the value that a node must have, or nothing.
#include "surgeon/fold/fold_shapes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include "edit/node_places.h"
#include "model/attributes.h"
#include "model/inference/shape_output.h"
#include "model/onnx_facts.h"
#include "model/weights.h"
#include "tensor/convert.h"

namespace assay::surgeon {
namespace {

using model::int_attribute;
using tensor::ElementType;
using tensor::Tensor;
using Dimensions = std::vector<std::int64_t>;  // -1: unknown

struct Context {
  const model::Model& model;
  const model::GraphView& view;
  const Constants& constants;
  const KnownShapes& shapes;
};

std::optional<Dimensions> dimensions(const KnownShapes& shapes, const std::string& tensor) {
  const auto shape = shapes.find(tensor).shape;
  if (!shape) return std::nullopt;
  Dimensions sizes;
  for (const model::Dimension& dimension : *shape) sizes.push_back(dimension.value);
  return sizes;
}

// Returns a Shape node's output, as far as it is known.
std::optional<Dimensions> shape_of(const Context& context, const onnx::NodeProto& node) {
  if (!edit::is_operator(node, "Shape") || node.input_size() != 1) return std::nullopt;
  const auto sizes = dimensions(context.shapes, node.input(0));
  return sizes ? std::optional(model::shape_output(node, *sizes)) : std::nullopt;
}

// Returns the same for the Shape node that produces a tensor.
std::optional<Dimensions> shape_values(const Context& context, const std::string& tensor) {
  const model::NodeId producer = context.view.producer(context.view.find(tensor));
  return producer == model::kNone ? std::nullopt : shape_of(context, context.view.node(producer));
}

std::optional<Tensor> constant(const Context& context, const std::string& name) {
  const onnx::TensorProto* weight = context.constants.find(name);
  if (weight == nullptr) return std::nullopt;
  const ElementType type = model::element_type(*weight);
  if (type != ElementType::int64 && type != ElementType::int32) return std::nullopt;
  auto value = model::read_weight(context.model, *weight);
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

std::vector<std::int64_t> integers(const Tensor& tensor) {
  std::vector<std::int64_t> values(tensor.size());
  tensor::read_integers(tensor, 0, values);
  return values;
}

std::optional<Tensor> all_known(tensor::Shape shape, const Dimensions& values) {
  if (std::ranges::any_of(values, [](std::int64_t value) { return value < 0; })) return std::nullopt;
  return Tensor::of(ElementType::int64, std::move(shape), values);
}

std::optional<Tensor> list(const Dimensions& values) {
  return all_known({static_cast<std::int64_t>(values.size())}, values);
}

std::optional<Tensor> fold_shape(const Context& context, const onnx::NodeProto& node) {
  const auto values = shape_of(context, node);
  return values ? list(*values) : std::nullopt;
}

std::optional<Tensor> fold_size(const Context& context, const onnx::NodeProto& node) {
  if (node.input_size() != 1) return std::nullopt;
  const auto sizes = dimensions(context.shapes, node.input(0));
  if (!sizes) return std::nullopt;
  const auto count = tensor::element_count(*sizes);
  if (!count || *count > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return all_known({}, {static_cast<std::int64_t>(*count)});
}

std::optional<Tensor> fold_gather(const Context& context, const onnx::NodeProto& node) {
  const std::int64_t axis = int_attribute(node, "axis", 0);
  if (node.input_size() != 2 || (axis != 0 && axis != -1)) return std::nullopt;
  const auto values = shape_values(context, node.input(0));
  const auto indices = values ? constant(context, node.input(1)) : std::nullopt;
  if (!indices) return std::nullopt;
  const auto count = static_cast<std::int64_t>(values->size());
  Dimensions taken;
  for (std::int64_t index : integers(*indices)) {
    if (index < 0) index += count;
    if (index < 0 || index >= count) return std::nullopt;
    taken.push_back((*values)[static_cast<std::size_t>(index)]);
  }
  return all_known(indices->shape(), taken);
}

// Returns a single number from an input (since operator set 10) or an attribute (before) of a Slice.
std::optional<std::int64_t> slice_number(const Context& context, const onnx::NodeProto& node, int input,
                                         std::string_view name, std::optional<std::int64_t> fallback) {
  std::vector<std::int64_t> numbers;
  if (const onnx::AttributeProto* given = model::find_attribute(node, name)) {
    numbers.assign(given->ints().begin(), given->ints().end());
  } else if (node.input_size() > input && !node.input(input).empty()) {
    const auto value = constant(context, node.input(input));
    if (!value) return std::nullopt;
    numbers = integers(*value);
  } else {
    return fallback;
  }
  return numbers.size() == 1 ? std::optional(numbers[0]) : std::nullopt;
}

std::optional<Tensor> fold_slice(const Context& context, const onnx::NodeProto& node) {
  if (node.input_size() < 1) return std::nullopt;
  const auto values = shape_values(context, node.input(0));
  if (!values) return std::nullopt;
  const auto start = slice_number(context, node, 1, "starts", std::nullopt);
  const auto end = slice_number(context, node, 2, "ends", std::nullopt);
  const auto axis = slice_number(context, node, 3, "axes", 0);
  const auto step = slice_number(context, node, 4, "steps", 1);
  if (!start || !end || !axis || !step || (*axis != 0 && *axis != -1) || *step < 1) return std::nullopt;
  const auto count = static_cast<std::int64_t>(values->size());
  const auto place = [&](std::int64_t position) {
    return std::clamp(position < 0 ? position + count : position, std::int64_t{0}, count);
  };
  Dimensions taken;
  for (std::int64_t i = place(*start); i < place(*end);) {
    taken.push_back((*values)[static_cast<std::size_t>(i)]);
    if (*step >= count - i) break;
    i += *step;
  }
  return list(taken);
}

struct Rule {
  std::string_view op_type;
  std::optional<Tensor> (*value)(const Context&, const onnx::NodeProto&);
};
constexpr std::array kRules = {
    Rule{"Shape", fold_shape},
    Rule{"Size", fold_size},
    Rule{"Gather", fold_gather},
    Rule{"Slice", fold_slice},
};

}  // namespace

std::vector<KnownValue> fold_shapes(const model::Model& model, const model::GraphView& view, const Constants& constants,
                                    const KnownShapes& shapes) {
  const Context context{model, view, constants, shapes};
  std::vector<KnownValue> found;
  for (model::NodeId id = 0; id < view.node_count(); ++id) {
    const onnx::NodeProto& node = view.node(id);
    const auto rule = std::ranges::find(kRules, node.op_type(), &Rule::op_type);
    if (rule == kRules.end() || !model::is_default_domain(node.domain()) || view.outputs(id).size() != 1) continue;
    if (auto value = rule->value(context, node)) found.push_back({id, *std::move(value)});
  }
  return found;
}

}  // namespace assay::surgeon
