// Every rule covers some operators: it says whether a node returns its first input. Values are the same bit by bit, NaN
// included, so there is none for adding 0 or multiplying by 1.
#include "surgeon/fold/remove_no_ops.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "edit/node_places.h"
#include "edit/visit_graphs.h"
#include "model/attributes.h"
#include "model/graph_view.h"
#include "model/weights.h"
#include "surgeon/fold/find_foldable.h"
#include "surgeon/fold/known_shapes.h"
#include "surgeon/graph/constants.h"
#include "surgeon/graph/replace_tensors.h"
#include "tensor/convert.h"

namespace assay::surgeon {
namespace {

using tensor::ElementType;

struct Context {
  const model::Model& model;
  const Constants& constants;
  const KnownShapes& shapes;
};

bool always(const Context&, const onnx::NodeProto&) {
  return true;
}

bool has_one_input(const Context&, const onnx::NodeProto& node) {
  return node.input_size() == 1;
}

// Before operator set 7, an attribute chose the mode.
bool passes_on(const Context& context, const onnx::NodeProto& node) {
  return model::default_opset(context.model.proto) >= 7 &&
         FoldableOps(context.model.proto).allows(node, context.constants);
}

bool keeps_type(const Context& context, const onnx::NodeProto& node) {
  const ElementType type = context.shapes.find(node.input(0)).type;
  return type != ElementType::undefined && type == static_cast<ElementType>(model::int_attribute(node, "to", 0));
}

bool keeps_order(const Context&, const onnx::NodeProto& node) {
  const onnx::AttributeProto* order = model::find_attribute(node, "perm");
  if (order == nullptr) return false;
  for (int i = 0; i < order->ints_size(); ++i) {
    if (order->ints(i) != i) return false;
  }
  return true;
}

bool keeps_shape(const Context& context, const onnx::NodeProto& node) {
  const model::TensorInfo before = context.shapes.find(node.input(0));
  const model::TensorInfo after = context.shapes.find(node.output(0));
  return model::is_static(before) && model::is_static(after) &&
         std::ranges::equal(*before.shape, *after.shape, {}, &model::Dimension::value, &model::Dimension::value);
}

// With negative steps, a Slice of the same shape is in another order.
bool takes_all(const Context& context, const onnx::NodeProto& node) {
  if (!keeps_shape(context, node)) return false;
  if (node.input_size() < 5 || node.input(4).empty()) return true;
  const onnx::TensorProto* steps = context.constants.find(node.input(4));
  if (steps == nullptr) return false;
  const auto value = model::read_weight(context.model, *steps);
  if (!value || (value->type() != ElementType::int64 && value->type() != ElementType::int32)) return false;
  std::vector<std::int64_t> numbers(value->size());
  tensor::read_integers(*value, 0, numbers);
  return std::ranges::all_of(numbers, [](std::int64_t step) { return step > 0; });
}

struct Rule {
  std::string_view op_type;
  bool (*is_no_op)(const Context& context, const onnx::NodeProto& node);
};
constexpr std::array kRules = {
    Rule{"Identity", always},       Rule{"Dropout", passes_on},    Rule{"Cast", keeps_type},
    Rule{"Transpose", keeps_order}, Rule{"Concat", has_one_input}, Rule{"Sum", has_one_input},
    Rule{"Max", has_one_input},     Rule{"Min", has_one_input},    Rule{"Mean", has_one_input},
    Rule{"Reshape", keeps_shape},   Rule{"Flatten", keeps_shape},  Rule{"Squeeze", keeps_shape},
    Rule{"Unsqueeze", keeps_shape}, Rule{"Expand", keeps_shape},   Rule{"Tile", keeps_shape},
    Rule{"Slice", takes_all},
};

bool is_no_op(const Context& context, const onnx::NodeProto& node) {
  if (node.input_size() == 0 || node.input(0).empty() || node.output_size() == 0 || node.output(0).empty())
    return false;
  return std::ranges::any_of(
      kRules, [&](const Rule& rule) { return edit::is_operator(node, rule.op_type) && rule.is_no_op(context, node); });
}

class Remover {
 public:
  explicit Remover(model::Model& model) : model_(model) {}

  int graph(onnx::GraphProto& graph, const Constants* outer_constants, const KnownShapes* outer_shapes) {
    int count = remove(graph, Constants(graph, outer_constants), KnownShapes(graph, outer_shapes));
    const Constants constants(graph, outer_constants);
    const KnownShapes shapes(graph, outer_shapes);
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      edit::visit_bodies(node, [&](onnx::GraphProto& body) { count += this->graph(body, &constants, &shapes); });
    }
    return count;
  }

 private:
  int remove(onnx::GraphProto& graph, const Constants& constants, const KnownShapes& shapes) {
    const model::GraphView view(graph);
    const Context context{model_, constants, shapes};
    TensorReplacement replacement(graph);
    std::vector<bool> removed(static_cast<std::size_t>(graph.node_size()), false);
    for (model::NodeId id = 0; id < view.node_count(); ++id) {
      const onnx::NodeProto& node = view.node(id);
      if (!is_no_op(context, node) || !only_first_is_read(view, id)) continue;
      if (!replacement.can_replace(node.output(0), node.input(0))) continue;
      replacement.replace(node.output(0), node.input(0));
      removed[static_cast<std::size_t>(id)] = true;
    }
    replacement.apply(removed);
    return static_cast<int>(std::ranges::count(removed, true));
  }

  // Dropout also has a mask.
  static bool only_first_is_read(const model::GraphView& view, model::NodeId id) {
    const auto outputs = view.outputs(id);
    return std::all_of(outputs.begin() + 1, outputs.end(), [&](model::TensorId output) {
      return view.consumers(output).empty() && !view.is_graph_output(output);
    });
  }

  model::Model& model_;
};

}  // namespace

int remove_no_ops(model::Model& model) {
  return Remover(model).graph(model.graph(), nullptr, nullptr);
}

}  // namespace assay::surgeon
