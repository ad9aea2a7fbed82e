// Attributes that the schema does not require are left out, so that their defaults hold; those that the schema does not
// know go as well. Bodies stay, and the attributes of a Constant, one of which it needs. What would change the type or
// shape of an output is not proposed.
#include "edit/node_places.h"
#include "reduce/passes/infer_node.h"
#include "reduce/passes/node_passes.h"
#include "reduce/passes/operator_schema.h"

namespace assay::reduce {
namespace {

bool is_required(const onnx::OpSchema& schema, const std::string& name) {
  const auto at = schema.attributes().find(name);
  return at != schema.attributes().end() && at->second.required;
}

onnx::NodeProto without(onnx::NodeProto node, int index) {
  node.mutable_attribute()->DeleteSubrange(index, 1);
  return node;
}

}  // namespace

std::vector<edit::ModelChange> default_attributes(const PassInput& input) {
  const NodeInference inference(input);
  std::vector<edit::ModelChange> changes;
  for (const edit::NodePlace& place : edit::node_places(input.model.graph())) {
    const onnx::OpSchema* schema = operator_schema(input.model, *place.node);
    if (schema == nullptr || edit::is_operator(*place.node, "Constant")) continue;
    for (int i = 0; i < place.node->attribute_size(); ++i) {
      const onnx::AttributeProto& attribute = place.node->attribute(i);
      if (attribute.has_g() || attribute.graphs_size() > 0 || is_required(*schema, attribute.name())) continue;
      if (!inference.keeps_outputs(*place.node, without(*place.node, i))) continue;
      changes.push_back({"attribute '" + attribute.name() + "' of " + edit::describe(*place.node) + " to its default",
                         {edit::RemoveAttribute{place.ref, attribute.name()}}});
    }
  }
  return changes;
}

}  // namespace assay::reduce
