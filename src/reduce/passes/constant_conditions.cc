// Replaces a node that computes a condition by true or by false. The search for nodes turns a condition with an unknown
// value into an input; a check then feeds one of the two values, and that may be the one with which nothing fails.
#include <optional>

#include "edit/changes/known_value_infos.h"
#include "edit/node_places.h"
#include "model/shapes.h"
#include "model/weights.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

// Returns the shape of a condition of one element, or nothing if the tensor isn't one.
std::optional<tensor::Shape> shape_of_condition(const PassInput& input, const std::string& name) {
  const onnx::ValueInfoProto* known = edit::find_known(input.known, name);
  if (known == nullptr) return std::nullopt;
  const model::TensorInfo info = model::tensor_info(*known);
  if (info.type != tensor::ElementType::boolean || !info.shape) return std::nullopt;
  tensor::Shape shape;
  for (const model::Dimension& size : *info.shape) {
    if (size.value != 1) return std::nullopt;
    shape.push_back(1);
  }
  return shape;
}

}  // namespace

std::vector<edit::ModelChange> constant_conditions(const PassInput& input) {
  const std::vector<edit::NodePlace> places = edit::outer_node_places(input.model.graph());
  std::vector<edit::ModelChange> changes;
  for (const edit::NodePlace& place : places) {
    const onnx::NodeProto& node = *place.node;
    if (places.size() == 1 || node.output_size() != 1 || edit::is_operator(node, "Constant")) continue;
    if (is_output(input.model.graph(), node.output(0))) continue;
    const std::optional<tensor::Shape> shape = shape_of_condition(input, node.output(0));
    if (!shape) continue;
    for (const bool value : {true, false}) {
      const auto tensor =
          tensor::Tensor::of<std::uint8_t>(tensor::ElementType::boolean, *shape, {static_cast<std::uint8_t>(value)});
      changes.push_back(
          {model::describe_node(node) + (value ? " made true" : " made false"),
           {edit::RemoveNode{place.ref}, edit::SetInitializer{{}, model::to_proto(node.output(0), tensor)}}});
    }
  }
  return changes;
}

}  // namespace assay::reduce
