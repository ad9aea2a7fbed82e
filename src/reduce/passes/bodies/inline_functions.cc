// Replaces a call of a local function by the function's body, with the attributes of the call. ONNX's own inliner does
// this, on a model that contains nothing but the call; the result is then put in place like any other body. Calls
// inside the function remain calls, and are proposed once they are in the graph. Functions that import other operator
// versions than the model are left alone.
#include <fmt/format.h>
#include <onnx/inliner/inliner.h>

#include <exception>

#include "model/onnx_facts.h"
#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/open_body.h"

namespace assay::reduce {
namespace {

const onnx::FunctionProto* find_function(const onnx::ModelProto& model, const onnx::NodeProto& node) {
  for (const onnx::FunctionProto& function : model.functions()) {
    if (function.name() == node.op_type() && model::domain_key(function.domain()) == model::domain_key(node.domain()) &&
        function.overload() == node.overload()) {
      return &function;
    }
  }
  return nullptr;
}

bool same_versions(const onnx::ModelProto& model, const onnx::FunctionProto& function) {
  for (const onnx::OperatorSetIdProto& wanted : function.opset_import()) {
    const int here = model::opset_version(model, wanted.domain());
    if (here != 0 && here != wanted.version()) return false;
  }
  return true;
}

// Returns a graph whose only node is the call, and whose inputs and outputs are the call's.
onnx::GraphProto graph_of_call(const onnx::NodeProto& call) {
  onnx::GraphProto graph;
  graph.set_name("call");
  for (const std::string& name : call.input()) {
    if (!name.empty() && !defines(graph, name)) graph.add_input()->set_name(name);
  }
  for (const std::string& name : call.output()) {
    if (!name.empty()) graph.add_output()->set_name(name);
  }
  *graph.add_node() = call;
  return graph;
}

std::optional<OpenedBody> open_call(const onnx::ModelProto& model, const onnx::FunctionProto& function,
                                    const onnx::NodeProto& call, FreshNames& names) {
  onnx::ModelProto alone;
  alone.set_ir_version(model.ir_version());
  *alone.mutable_opset_import() = model.opset_import();
  *alone.add_functions() = function;
  *alone.mutable_graph() = graph_of_call(call);
  try {
    const auto set = onnx::inliner::FunctionIdSet::Create({{function.domain(), function.name()}});
    onnx::inliner::InlineSelectedLocalFunctions(alone, *set);
  } catch (const std::exception&) {
    return std::nullopt;  // an invalid function
  }
  const onnx::GraphProto& graph = alone.graph();
  for (const onnx::NodeProto& node : graph.node()) {
    if (find_function(alone, node) != nullptr) return std::nullopt;
  }
  std::vector<std::string> inputs, outputs;
  for (const onnx::ValueInfoProto& value : graph.input()) inputs.push_back(value.name());
  for (const onnx::ValueInfoProto& value : graph.output()) outputs.push_back(value.name());
  return open_body(graph, inputs, outputs, names, BodyIs::made_up);
}

}  // namespace

std::vector<edit::ModelChange> inline_functions(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  const onnx::ModelProto& model = input.model.proto;
  if (model.functions().empty()) return changes;
  FreshNames names(model.graph());
  for (const Place& place : graphs_of(model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      const onnx::FunctionProto* function = find_function(model, node);
      if (function == nullptr || !same_versions(model, *function)) continue;
      auto opened = open_call(model, *function, node, names);
      if (!opened) continue;
      changes.push_back(put_in_place(place, node, *std::move(opened),
                                     fmt::format("{} replaced by the function's body", describe(node))));
    }
  }
  return changes;
}

}  // namespace assay::reduce
