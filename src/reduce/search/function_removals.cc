// The type of a new input isn't known, since types inside a function aren't declared. So it is tried with each of the
// types that calls read.
#include "reduce/search/function_removals.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "edit/changes/function_nodes.h"
#include "edit/changes/known_value_infos.h"
#include "edit/changes/uncalled_functions.h"
#include "edit/keep_if.h"
#include "edit/unused_name.h"
#include "edit/visit_graphs.h"
#include "model/function_calls.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/search/single_change.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kMostTypes = 4;

using Ways = std::vector<InnerRemoval>;

// Returns the types of tensors that calls of local functions read in the graph and its bodies.
std::vector<onnx::ValueInfoProto> types_of_arguments(const model::Model& model, const edit::ValueInfos& known) {
  std::vector<onnx::ValueInfoProto> types;
  edit::visit_nodes(model.graph().node(), [&](const onnx::NodeProto& node) {
    if (model::find_function(model.proto, node) == nullptr) return;
    for (const std::string& input : node.input()) {
      const onnx::ValueInfoProto* read = edit::find_known(known, input);
      if (read == nullptr || !has_shape(*read) || types.size() == kMostTypes) continue;
      const auto is_it = [&](const onnx::ValueInfoProto& type) { return same_type(type, *read); };
      if (std::ranges::none_of(types, is_it)) types.push_back(*read);
    }
  });
  return types;
}

// A name that is unused in the graph and in all functions.
std::string unused_name(const onnx::ModelProto& model, const std::string& wish) {
  const FreshNames names(model.graph());
  std::set<std::string> inside;
  for (const onnx::FunctionProto& function : model.functions()) {
    inside.insert(function.input().begin(), function.input().end());
    edit::visit_nodes(function.node(), [&](const onnx::NodeProto& node) {
      inside.insert(node.output().begin(), node.output().end());
      inside.insert(node.input().begin(), node.input().end());
    });
  }
  const auto is_taken = [&](const std::string& name) { return names.count(name) > 0 || inside.contains(name); };
  return edit::unused_name(wish, is_taken, 1);
}

// Adds an input to a function. All calls of it pass `outer`, which becomes an input of the functions that call it.
void add_input(onnx::ModelProto& model, int index, const std::string& name, const std::string& outer) {
  const int position = model.functions(index).input_size();
  model.mutable_functions(index)->add_input(name);
  const auto pass_in = [&](edit::Nodes& nodes) {
    bool any = false;
    edit::visit_nodes(nodes, [&](onnx::NodeProto& node) {
      if (!model::calls(node, model.functions(index))) return;
      while (node.input_size() < position) node.add_input();
      node.add_input(outer);
      any = true;
    });
    return any;
  };
  pass_in(*model.mutable_graph()->mutable_node());
  for (int i = 0; i < model.functions_size(); ++i) {
    onnx::FunctionProto& caller = *model.mutable_functions(i);
    if (!pass_in(*caller.mutable_node())) continue;
    if (std::ranges::find(caller.input(), outer) == caller.input().end()) add_input(model, i, outer, outer);
  }
}

// Returns the names that the nodes and the bodies in them read, and what these bodies return.
std::set<std::string> names_read_among(const edit::Nodes& nodes) {
  std::set<std::string> read;
  edit::visit_nodes(nodes, [&](const onnx::NodeProto& node) {
    read.insert(node.input().begin(), node.input().end());
    edit::visit_bodies(node, [&](const onnx::GraphProto& body) {
      for (const onnx::ValueInfoProto& output : body.output()) read.insert(output.name());
    });
  });
  read.erase("");
  return read;
}

// Outputs of functions, and the outputs of the graph that calls of these functions compute.
struct Returned {
  std::map<const onnx::FunctionProto*, std::set<std::string>> by_function;
  std::set<std::string> by_graph;
};

// Returns these outputs of the function, and those of its callers that only pass them on. Returns nothing if a node
// reads one of them, or if a function would have no other output: a function has to return something. Looks at the
// whole model, but not if `outputs` is empty, as for most nodes.
std::optional<Returned> unread_outputs(const onnx::ModelProto& model, const onnx::FunctionProto& function,
                                       const std::set<std::string>& outputs) {
  if (outputs.empty()) return Returned();
  Returned returned{.by_function = {{&function, outputs}}, .by_graph = {}};
  std::vector<const onnx::FunctionProto*> pending = {&function};
  bool is_read = false;
  // Adds the results of the nodes that call the function to `passed_on`.
  const auto look_at_calls = [&](const edit::Nodes& nodes, const onnx::FunctionProto& called,
                                 std::set<std::string>& passed_on) {
    std::set<std::string> results;
    edit::visit_nodes(nodes, [&](const onnx::NodeProto& node) {
      if (!model::calls(node, called)) return;
      for (int i = 0; i < std::min(node.output_size(), called.output_size()); ++i) {
        if (returned.by_function[&called].contains(called.output(i))) results.insert(node.output(i));
      }
    });
    if (results.empty()) return;
    const std::set<std::string> read = names_read_among(nodes);
    is_read |= std::ranges::any_of(results, [&](const std::string& result) { return read.contains(result); });
    passed_on.merge(results);
  };
  while (!pending.empty()) {
    const onnx::FunctionProto& called = *pending.back();
    pending.pop_back();
    look_at_calls(model.graph().node(), called, returned.by_graph);
    for (const onnx::FunctionProto& caller : model.functions()) {
      std::set<std::string> passed_on;
      look_at_calls(caller.node(), called, passed_on);
      bool is_new = false;
      for (const std::string& output : caller.output()) {
        if (passed_on.contains(output)) is_new |= returned.by_function[&caller].insert(output).second;
      }
      if (is_new) pending.push_back(&caller);
    }
    if (is_read || static_cast<int>(returned.by_function[&called].size()) == called.output_size()) return std::nullopt;
  }
  return returned;
}

// Removes an output from a function and from all calls of it.
void drop_output(onnx::ModelProto& model, int index, const std::string& output) {
  auto& outputs = *model.mutable_functions(index)->mutable_output();
  const auto position = static_cast<int>(std::ranges::find(outputs, output) - outputs.begin());
  outputs.erase(outputs.begin() + position);
  const auto drop = [&](edit::Nodes& nodes) {
    edit::visit_nodes(nodes, [&](onnx::NodeProto& node) {
      if (!model::calls(node, model.functions(index)) || node.output_size() <= position) return;
      node.mutable_output()->erase(node.output().begin() + position);
    });
  };
  drop(*model.mutable_graph()->mutable_node());
  for (onnx::FunctionProto& caller : *model.mutable_functions()) drop(*caller.mutable_node());
}

// Lets the graph return the results of its calls that nothing reads. Returns false if it then returns nothing, because
// no types of such results are known.
bool return_unread_results(model::Model& model, const edit::ValueInfos& known) {
  onnx::GraphProto& graph = model.graph();
  const std::set<std::string> read = names_read_among(graph.node());
  for (const onnx::NodeProto& node : graph.node()) {
    if (model::find_function(model.proto, node) == nullptr) continue;
    for (const std::string& result : node.output()) {
      const onnx::ValueInfoProto* type = edit::find_known(known, result);
      if (type != nullptr && has_shape(*type) && !read.contains(result)) *graph.add_output() = *type;
    }
  }
  return graph.output_size() > 0;
}

// Removes outputs that nothing reads. Returns false if the graph has nothing else to return.
bool drop_outputs(model::Model& model, const model::Model& original, const Returned& outputs,
                  const edit::ValueInfos& known) {
  for (int i = 0; i < original.proto.functions_size(); ++i) {
    const auto of_function = outputs.by_function.find(&original.proto.functions(i));
    if (of_function == outputs.by_function.end()) continue;
    for (const std::string& output : of_function->second) drop_output(model.proto, i, output);
  }
  edit::keep_if(*model.graph().mutable_output(),
                [&](const onnx::ValueInfoProto& output) { return !outputs.by_graph.contains(output.name()); });
  return model.graph().output_size() > 0 || return_unread_results(model, known);
}

int index_of(const onnx::ModelProto& model, const onnx::FunctionProto& function) {
  int index = 0;
  while (&model.functions(index) != &function) ++index;
  return index;
}

// Returns the outputs of the function that the node computes.
std::set<std::string> returned_by(const onnx::FunctionProto& function, const onnx::NodeProto& node) {
  std::set<std::string> returned;
  for (const std::string& output : node.output()) {
    if (std::ranges::find(function.output(), output) != function.output().end()) returned.insert(output);
  }
  return returned;
}

// `unread`: the outputs that go with the node. `type`: of the inputs that replace what other nodes read from the node;
// null if they read nothing.
SharedModel without(const model::Model& model, int index, int node, const Returned& unread,
                    const edit::ValueInfos& known, const onnx::ValueInfoProto* type) {
  const onnx::NodeProto& removed = model.proto.functions(index).node(node);
  auto result = std::make_shared<model::Model>(model);
  onnx::FunctionProto& changed = *result->proto.mutable_functions(index);
  changed.mutable_node()->DeleteSubrange(node, 1);
  if (!drop_outputs(*result, model, unread, known)) return nullptr;
  for (const std::string& output : removed.output()) {
    if (!edit::uses(changed, output)) continue;
    if (type == nullptr) return nullptr;
    const std::string outer = unused_name(result->proto, output);
    onnx::ValueInfoProto& input = *result->graph().add_input();
    input = *type;
    input.set_name(outer);
    add_input(result->proto, index, output, outer);
  }
  return result;
}

std::string describe_inside(const onnx::FunctionProto& function, const onnx::NodeProto& node) {
  return model::describe_node(node) + " in the local function '" + function.name() + "'";
}

void add_bypasses(const SharedModel& model, std::size_t at, const onnx::FunctionProto& function,
                  const onnx::NodeProto& node, const edit::ValueInfos& known, Ways& ways) {
  const auto& inputs = node.input();
  for (int i = 0; i < inputs.size(); ++i) {
    if (std::find(inputs.begin(), inputs.begin() + i, inputs[i]) != inputs.begin() + i) continue;
    if (!edit::can_bypass(function, edit::name_of(node), i)) continue;
    const edit::ModelChange change{
        describe_inside(function, node) + " bypassed: '" + inputs[i] + "' in place of its output",
        {edit::BypassFunctionNode{edit::reference_to(function), edit::name_of(node), i}}};
    ways.push_back({at, change.what, [model, change, &known] { return apply_alone(*model, change, known); }});
  }
}

bool has_to_stay(const onnx::ModelProto& model, const onnx::FunctionProto& function, const onnx::NodeProto& node) {
  if (function.node_size() == 1) return true;
  if (unread_outputs(model, function, returned_by(function, node))) return false;
  for (int i = 0; i < node.input_size(); ++i) {
    if (edit::can_bypass(function, edit::name_of(node), i)) return false;
  }
  return true;
}

}  // namespace

std::vector<InnerNode> function_nodes(const model::Model& model) {
  std::vector<InnerNode> nodes;
  for (const onnx::FunctionProto* function : edit::called_functions(model.proto)) {
    for (const onnx::NodeProto& node : function->node()) {
      nodes.push_back({.what = describe_inside(*function, node),
                       .has_to_stay = has_to_stay(model.proto, *function, node),
                       .can_be_value = can_be_value(node, *function)});
    }
    for (const onnx::NodeProto& node : function->node()) {
      edit::visit_bodies(node, [&](const onnx::GraphProto& body) {
        edit::visit_nodes(body.node(), [&](const onnx::NodeProto& inner) {
          nodes.push_back({.what = describe_inside(*function, inner), .in_function_body = true});
        });
      });
    }
  }
  return nodes;
}

std::vector<InnerRemoval> function_removals(const SharedModel& model, const edit::ValueInfos& known) {
  Ways bypasses, removals;
  const std::vector<InnerNode> nodes = function_nodes(*model);
  if (nodes.empty()) return bypasses;
  const std::vector<onnx::ValueInfoProto> types = types_of_arguments(*model, known);
  std::size_t at = 0;
  for (const onnx::FunctionProto* function : edit::called_functions(model->proto)) {
    const int index = index_of(model->proto, *function);
    const std::set<std::string> read = names_read_among(function->node());
    for (int i = 0; i < function->node_size(); ++i, ++at) {
      if (function->node_size() == 1) continue;
      const onnx::NodeProto& node = function->node(i);
      add_bypasses(model, at, *function, node, known, bypasses);
      const auto unread = unread_outputs(model->proto, *function, returned_by(*function, node));
      if (!unread) continue;
      const std::string what = "without " + describe_inside(*function, node);
      if (std::ranges::none_of(node.output(), [&](const std::string& output) { return read.contains(output); })) {
        removals.push_back({at, what, [model, index, i, gone = *unread, &known] {
                              return without(*model, index, i, gone, known, nullptr);
                            }});
        continue;
      }
      for (const onnx::ValueInfoProto& type : types) {
        removals.push_back({at, what, [model, index, i, gone = *unread, &known, type] {
                              return without(*model, index, i, gone, known, &type);
                            }});
      }
    }
    while (at < nodes.size() && nodes[at].in_function_body) ++at;
  }
  std::ranges::move(removals, std::back_inserter(bypasses));
  return bypasses;
}

}  // namespace assay::reduce
