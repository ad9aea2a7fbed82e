// Removes outputs that ONNX's schema calls optional and that nothing reads. A node of which no output is read keeps
// them.
#include "edit/graph_names.h"
#include "edit/node_places.h"
#include "model/operator_schema.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {

std::vector<edit::ModelChange> drop_unused_outputs(const PassInput& input) {
  const edit::NamesByGraph names = edit::collect_names(input.model.graph());
  std::vector<edit::ModelChange> changes;
  for (const edit::NodePlace& place : edit::node_places(input.model.graph())) {
    const edit::GraphNames& around = names.at(place.graph);
    const auto used = [&](const std::string& name) { return !name.empty() && around.uses(name); };
    const onnx::OpSchema* schema = model::operator_schema(input.model, *place.node);
    if (schema == nullptr || std::ranges::none_of(place.node->output(), used)) continue;
    for (int i = 0; i < place.node->output_size(); ++i) {
      const std::string& name = place.node->output(i);
      const auto* formal = model::formal_output(*schema, i);
      if (name.empty() || used(name) || formal == nullptr || formal->GetOption() != onnx::OpSchema::Optional) continue;
      changes.push_back({"unused output '" + name + "' of " + model::describe_node(*place.node) + " removed",
                         {edit::SetNodeOutput{place.ref, i, ""}}});
    }
  }
  return changes;
}

}  // namespace assay::reduce
