// Replaces a call of a local function by the function's body, with the attributes of the call. ONNX's own inliner does
// this, on a model that contains nothing but the call; the result is then put in place like any other body. Calls
// inside the function remain calls, and are proposed once they are in the graph. If a function imports other operator
// versions than the model, and one of its operators differs between the two, it is left alone.
#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/inliner/inliner.h>

#include <exception>
#include <map>
#include <string>

#include "edit/visit_graphs.h"
#include "model/function_calls.h"
#include "model/onnx_facts.h"
#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/open_body.h"

namespace assay::reduce {
namespace {

using model::find_function;

// Returns whether the operator has one definition in both versions of its domain.
bool is_unchanged(const onnx::NodeProto& node, int version, int other) {
  if (version == other) return true;
  const std::string domain = model::domain_key(node.domain());
  const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), version, domain);
  return schema != nullptr && schema == onnx::OpSchemaRegistry::Schema(node.op_type(), other, domain);
}

// Collects the operator sets that nodes of the function need and the model doesn't import. Returns false if an operator
// would mean something else in the model.
bool collect_imports(const onnx::ModelProto& model, const onnx::FunctionProto& function,
                     const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
                     std::map<std::string, int>& missing) {
  for (const onnx::NodeProto& node : nodes) {
    const int wanted = model::opset_version(function, node.domain());
    const int here = model::opset_version(model, node.domain());
    if (here == 0 && wanted != 0) missing.emplace(node.domain(), wanted);
    const bool has_both = here != 0 && wanted != 0 && find_function(model, node) == nullptr;
    if (has_both && !is_unchanged(node, wanted, here)) return false;
    bool fits = true;
    edit::visit_bodies(node, [&](const onnx::GraphProto& body) {
      fits = fits && collect_imports(model, function, body.node(), missing);
    });
    if (!fits) return false;
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
  *alone.mutable_functions(0)->mutable_opset_import() = model.opset_import();  // its operators mean the same there
  *alone.mutable_graph() = graph_of_call(call);
  model::set_default_attributes(function, *alone.mutable_graph()->mutable_node(0));
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
      std::map<std::string, int> imports;
      if (function == nullptr || !collect_imports(model, *function, function->node(), imports)) continue;
      auto opened = open_call(model, *function, node, names);
      if (!opened) continue;
      edit::ModelChange change =
          put_in_place(place, node, *std::move(opened),
                       fmt::format("{} replaced by the function's body", model::describe_node(node)));
      for (const auto& [domain, version] : imports) change.primitives.emplace_back(edit::ImportOpset{domain, version});
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

}  // namespace assay::reduce
