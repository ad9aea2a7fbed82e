// Bypasses nodes of local functions, for failures that need the call. Types inside a function aren't declared, so a
// node whose operator doesn't keep the type is bypassed on the chance that its first input fits.
#include <algorithm>
#include <iterator>

#include "edit/changes/function_nodes.h"
#include "edit/changes/uncalled_functions.h"
#include "edit/keeps_type.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/bodies/body_passes.h"

namespace assay::reduce {

std::vector<edit::ModelChange> bypass_function_nodes(const PassInput& input) {
  std::vector<edit::ModelChange> changes, unsure;
  for (const onnx::FunctionProto* function : edit::called_functions(input.model.proto)) {
    for (const onnx::NodeProto& node : function->node()) {
      if (!edit::can_bypass(*function, edit::name_of(node), 0)) continue;
      (edit::keeps_type(node) ? changes : unsure)
          .push_back({model::describe_node(node) + " in the local function '" + function->name() + "' bypassed",
                      {edit::BypassFunctionNode{edit::reference_to(*function), edit::name_of(node), 0}}});
    }
  }
  std::ranges::move(unsure, std::back_inserter(changes));
  return changes;
}

}  // namespace assay::reduce
