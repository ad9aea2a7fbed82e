#include "edit/changes/function_nodes.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "edit/keep_if.h"
#include "edit/node_places.h"
#include "edit/rename_tensors.h"
#include "edit/visit_graphs.h"
#include "model/onnx_facts.h"

namespace assay::edit {
namespace {

const onnx::NodeProto* find_node(const onnx::FunctionProto& function, const std::string& output) {
  const auto at = std::ranges::find_if(function.node(), [&](const auto& node) { return name_of(node) == output; });
  return at == function.node().end() ? nullptr : &*at;
}

// Removes the nodes that only produce these tensors, which are no longer used, and then the nodes that only they need.
void drop_producers(onnx::FunctionProto& function, std::vector<std::string> released) {
  const auto is_released = [&](const std::string& name) { return std::ranges::find(released, name) != released.end(); };
  for (int i = function.node_size() - 1; i >= 0; --i) {
    const onnx::NodeProto& node = function.node(i);
    const auto& outputs = node.output();
    if (std::ranges::none_of(outputs, is_released)) continue;
    if (std::ranges::any_of(outputs, [&](const std::string& name) { return uses(function, name); })) continue;
    std::ranges::move(names_read(node), std::back_inserter(released));
    function.mutable_node()->DeleteSubrange(i, 1);
  }
}

}  // namespace

FunctionRef reference_to(const onnx::FunctionProto& function) {
  return {.domain = function.domain(), .name = function.name(), .overload = function.overload()};
}

onnx::FunctionProto* find_function(onnx::ModelProto& model, const FunctionRef& ref) {
  auto& functions = *model.mutable_functions();
  const auto at = std::ranges::find_if(functions, [&](const onnx::FunctionProto& function) {
    return model::domain_key(function.domain()) == model::domain_key(ref.domain) && function.name() == ref.name &&
           function.overload() == ref.overload;
  });
  return at == functions.end() ? nullptr : &*at;
}

bool uses(const onnx::FunctionProto& function, const std::string& tensor) {
  if (tensor.empty()) return false;
  const auto reads = [&](const onnx::NodeProto& node) {
    const std::vector<std::string> names = names_read(node);
    return std::ranges::find(names, tensor) != names.end();
  };
  return std::ranges::find(function.output(), tensor) != function.output().end() ||
         std::ranges::any_of(function.node(), reads);
}

bool can_bypass(const onnx::FunctionProto& function, const std::string& output, int input) {
  const onnx::NodeProto* node = find_node(function, output);
  if (node == nullptr || function.node_size() < 2 || input < 0 || input >= node->input_size()) return false;
  const std::string& from = node->input(input);
  if (from.empty() || std::ranges::find(node->output(), from) != node->output().end()) return false;
  const auto& returned = function.output();
  const auto returns = [&](const std::string& name) { return std::ranges::find(returned, name) != returned.end(); };
  const bool is_input = std::ranges::find(function.input(), from) != function.input().end();
  // A function returns each tensor once, and ONNX Runtime refuses functions that return an input.
  if (returns(output) && (returns(from) || is_input)) return false;
  return std::ranges::none_of(node->output(),
                              [&](const std::string& name) { return name != output && uses(function, name); });
}

void bypass(onnx::FunctionProto& function, const std::string& output, int input) {
  const onnx::NodeProto node = *find_node(function, output);
  const std::string& from = node.input(input);
  keep_if(*function.mutable_node(), [&](const onnx::NodeProto& other) { return name_of(other) != output; });
  onnx::GraphProto nodes;
  nodes.mutable_node()->Swap(function.mutable_node());
  rename_tensors(nodes, {{output, from}});
  nodes.mutable_node()->Swap(function.mutable_node());
  std::ranges::replace(*function.mutable_output(), output, from);
  drop_producers(function, names_read(node));
}

}  // namespace assay::edit
