#include "edit/changes/uncalled_functions.h"

#include <set>
#include <string>
#include <tuple>

#include "edit/visit_graphs.h"
#include "model/onnx_facts.h"

namespace assay::edit {
namespace {

using Key = std::tuple<std::string, std::string, std::string>;

// `of` is a function or a call.
template <class Message>
Key key_of(const Message& of, const std::string& name) {
  return {model::domain_key(of.domain()), name, of.overload()};
}

std::set<Key> keys_of_calls(const onnx::ModelProto& model) {
  std::set<Key> keys;
  const auto add = [&](const onnx::NodeProto& node) { keys.insert(key_of(node, node.op_type())); };
  visit_nodes(model.graph().node(), add);
  for (const onnx::TrainingInfoProto& training : model.training_info()) {
    visit_nodes(training.initialization().node(), add);
    visit_nodes(training.algorithm().node(), add);
  }
  for (std::size_t before = 0; before != keys.size();) {  // until it includes all functions that called functions call
    before = keys.size();
    for (const onnx::FunctionProto& function : model.functions()) {
      if (keys.contains(key_of(function, function.name()))) visit_nodes(function.node(), add);
    }
  }
  return keys;
}

std::vector<const onnx::FunctionProto*> functions(const onnx::ModelProto& model, bool called) {
  std::vector<const onnx::FunctionProto*> result;
  if (model.functions().empty()) return result;
  const std::set<Key> calls = keys_of_calls(model);
  for (const onnx::FunctionProto& function : model.functions()) {
    if (calls.contains(key_of(function, function.name())) == called) result.push_back(&function);
  }
  return result;
}

}  // namespace

std::vector<const onnx::FunctionProto*> called_functions(const onnx::ModelProto& model) {
  return functions(model, true);
}

std::vector<const onnx::FunctionProto*> uncalled_functions(const onnx::ModelProto& model) {
  return functions(model, false);
}

}  // namespace assay::edit
