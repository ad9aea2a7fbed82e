// Proposes nothing if there is only one output, since removing all outputs would leave no node.
#include <set>

#include "reduce/passes/node_passes.h"

namespace assay::reduce {

std::vector<edit::ModelChange> drop_outputs(const PassInput& input) {
  const auto& outputs = input.model.graph().output();
  std::vector<edit::ModelChange> changes;
  std::set<std::string> seen;
  for (const onnx::ValueInfoProto& output : outputs) {
    if (outputs.size() < 2 || !seen.insert(output.name()).second) continue;
    changes.push_back({"output '" + output.name() + "' removed", {edit::RemoveOutput{{}, output.name()}}});
  }
  return changes;
}

}  // namespace assay::reduce
