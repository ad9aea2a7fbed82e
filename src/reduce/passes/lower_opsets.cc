// Lowers the imported version of an operator set as far as the definitions of all operators in use stay the same. The
// model means the same, and the version shows how old the failure is. Nothing is converted.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "edit/visit_graphs.h"
#include "model/onnx_facts.h"
#include "model/operator_schema.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

// Returns by domain the version since which all operators in use are unchanged; absent if one of them is unknown.
std::map<std::string, std::optional<int>> oldest_versions(const model::Model& model) {
  std::map<std::string, std::optional<int>> oldest;
  edit::visit_nodes(model.graph().node(), [&](const onnx::NodeProto& node) {
    const onnx::OpSchema* schema = model::operator_schema(model, node);
    std::optional<int>& version = oldest.try_emplace(model::domain_key(node.domain()), 1).first->second;
    if (schema == nullptr) version.reset();
    if (version) version = std::max(*version, schema->since_version());
  });
  // Functions import their own versions, in which operators have to mean the same as in the model's, so these stay.
  for (const onnx::FunctionProto& function : model.proto.functions()) {
    for (const auto& opset : function.opset_import()) oldest[model::domain_key(opset.domain())].reset();
  }
  return oldest;
}

}  // namespace

std::vector<edit::ModelChange> lower_opsets(const PassInput& input) {
  const auto oldest = oldest_versions(input.model);
  std::vector<edit::ModelChange> changes;
  for (const onnx::OperatorSetIdProto& opset : input.model.proto.opset_import()) {
    const auto at = oldest.find(model::domain_key(opset.domain()));
    if (at == oldest.end() || !at->second || *at->second >= opset.version()) continue;
    const std::string name = model::domain_name(opset.domain());
    changes.push_back({"operator set '" + name + "' lowered from " + std::to_string(opset.version()) + " to " +
                           std::to_string(*at->second),
                       {edit::LowerOpset{opset.domain(), *at->second}}});
  }
  return changes;
}

}  // namespace assay::reduce
