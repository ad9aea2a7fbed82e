// The version of an operator set that a model imports is the newest whose operators it may use. Where all that it does
// use has been the same since an older version, that one says the same, and how old a failure is. Nothing is converted.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "edit/visit_graphs.h"
#include "model/operator_schema.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

// By domain, the version since which all operators in use are the same; absent where one is not known.
std::map<std::string, std::optional<int>> oldest_versions(const model::Model& model) {
  std::map<std::string, std::optional<int>> oldest;
  const std::function<void(const onnx::GraphProto&)> visit = [&](const onnx::GraphProto& graph) {
    for (const onnx::NodeProto& node : graph.node()) {
      const onnx::OpSchema* schema = model::operator_schema(model, node);
      std::optional<int>& version =
          oldest.try_emplace(node.domain() == "ai.onnx" ? "" : node.domain(), 1).first->second;
      if (schema == nullptr) version.reset();
      if (version) version = std::max(*version, schema->since_version());
      edit::visit_bodies(node, visit);
    }
  };
  visit(model.graph());
  // Functions import versions of their own, which may not differ from the model's in what an operator means.
  for (const onnx::FunctionProto& function : model.proto.functions()) {
    for (const auto& opset : function.opset_import()) oldest[opset.domain()].reset();
  }
  return oldest;
}

}  // namespace

std::vector<edit::ModelChange> lower_opsets(const PassInput& input) {
  const auto oldest = oldest_versions(input.model);
  std::vector<edit::ModelChange> changes;
  for (const onnx::OperatorSetIdProto& opset : input.model.proto.opset_import()) {
    const auto at = oldest.find(opset.domain() == "ai.onnx" ? "" : opset.domain());
    if (at == oldest.end() || !at->second || *at->second >= opset.version()) continue;
    const std::string name = opset.domain().empty() ? "ai.onnx" : opset.domain();
    changes.push_back(
        {"operator set '" + name + "' " + std::to_string(opset.version()) + " to " + std::to_string(*at->second),
         {edit::LowerOpset{opset.domain(), *at->second}}});
  }
  return changes;
}

}  // namespace assay::reduce
