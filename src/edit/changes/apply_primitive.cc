// For each primitive, finds_in() checks that what it names exists, and perform_in() applies it. apply() asks finds()
// for all primitives of a change before it performs the first, so a change is applied as a whole or not at all.
#include "edit/changes/apply_primitive.h"

#include <algorithm>
#include <string>

#include "edit/changes/function_nodes.h"
#include "edit/changes/remove_detail.h"
#include "edit/changes/set_size.h"
#include "edit/keep_if.h"
#include "model/onnx_facts.h"
#include "model/shapes.h"

namespace assay::edit {
namespace {

template <class Field>
auto find_named(Field& values, const std::string& name) {
  return std::ranges::find_if(values, [&](const auto& value) { return value.name() == name; });
}

template <class Field>
bool has_named(const Field& values, const std::string& name) {
  return find_named(values, name) != values.end();
}

template <class Field>
bool remove_named(Field& values, const std::string& name) {
  return keep_if(values, [&](const auto& value) { return value.name() != name; }) > 0;
}

// Sets a name. Trailing empty names, which stand for omitted optional inputs and outputs, are removed.
template <class Names>
void set_name(Names& names, int index, const std::string& name) {
  *names.Mutable(index) = name;
  while (name.empty() && !names.empty() && names.Get(names.size() - 1).empty()) names.RemoveLast();
}

bool has_index(int index, int size) {
  return index >= 0 && index < size;
}

void note_outputs_undefined(ModelEditor& editor, const NodeRef& ref, const onnx::NodeProto& node) {
  const onnx::GraphProto& graph = *editor.find(ref.graph);
  for (const std::string& output : node.output()) editor.note_undefined(graph, output);
}

// For primitives that need no more than the node or the graph that they name; the others have a function of their own.
template <class Change>
bool finds_in(ModelEditor& editor, const Change& change) {
  if constexpr (requires { change.node; }) return editor.find(change.node) != nullptr;
  if constexpr (requires { change.graph; }) return editor.find(change.graph) != nullptr;
  return true;
}

// RemoveNode
void perform_in(ModelEditor& editor, const RemoveNode& change) {
  const onnx::NodeProto& node = *editor.find(change.node);
  note_outputs_undefined(editor, change.node, node);
  editor.replace(node, {});
}

// ReplaceNode
void perform_in(ModelEditor& editor, const ReplaceNode& change) {
  const onnx::NodeProto& node = *editor.find(change.node);
  note_outputs_undefined(editor, change.node, node);
  const onnx::GraphProto& graph = *editor.find(change.node.graph);
  for (const onnx::NodeProto& next : change.with) {
    for (const std::string& input : next.input()) editor.note_needed(graph, input);
  }
  editor.replace(node, change.with);
}

// SetNodeInput
bool finds_in(ModelEditor& editor, const SetNodeInput& change) {
  const onnx::NodeProto* node = editor.find(change.node);
  return node != nullptr && has_index(change.index, node->input_size());
}
void perform_in(ModelEditor& editor, const SetNodeInput& change) {
  editor.note_needed(*editor.find(change.node.graph), change.tensor);
  set_name(*editor.find(change.node)->mutable_input(), change.index, change.tensor);
}

// RemoveNodeInput
bool finds_in(ModelEditor& editor, const RemoveNodeInput& change) {
  const onnx::NodeProto* node = editor.find(change.node);
  return node != nullptr && has_index(change.index, node->input_size());
}
void perform_in(ModelEditor& editor, const RemoveNodeInput& change) {
  editor.remove_input(*editor.find(change.node), change.index);
}

// SetNodeOutput
bool finds_in(ModelEditor& editor, const SetNodeOutput& change) {
  const onnx::NodeProto* node = editor.find(change.node);
  return node != nullptr && has_index(change.index, node->output_size());
}
void perform_in(ModelEditor& editor, const SetNodeOutput& change) {
  onnx::NodeProto& node = *editor.find(change.node);
  editor.note_undefined(*editor.find(change.node.graph), node.output(change.index));
  set_name(*node.mutable_output(), change.index, change.tensor);
}

// RemoveAttribute
bool finds_in(ModelEditor& editor, const RemoveAttribute& change) {
  const onnx::NodeProto* node = editor.find(change.node);
  return node != nullptr && has_named(node->attribute(), change.name);
}
void perform_in(ModelEditor& editor, const RemoveAttribute& change) {
  onnx::NodeProto& node = *editor.find(change.node);
  editor.forget_bodies(*find_named(node.attribute(), change.name));
  remove_named(*node.mutable_attribute(), change.name);
}

// SetAttribute
void perform_in(ModelEditor& editor, const SetAttribute& change) {
  onnx::NodeProto& node = *editor.find(change.node);
  const auto at = find_named(*node.mutable_attribute(), change.attribute.name());
  if (at == node.mutable_attribute()->end()) {
    *node.add_attribute() = change.attribute;
    return;
  }
  editor.forget_bodies(*at);
  *at = change.attribute;
}

// RenameUses
void perform_in(ModelEditor& editor, const RenameUses& change) {
  const onnx::GraphProto& graph = *editor.find(change.graph);
  editor.note_needed(graph, change.from);
  editor.note_needed(graph, change.to);
  editor.rename_uses(graph, change.from, change.to);
}

// SetInitializer
void set_type(onnx::ValueInfoProto& value, const onnx::TensorProto& tensor) {
  *value.mutable_type()->mutable_tensor_type() = model::to_value_info(tensor).type().tensor_type();
}

bool finds_in(ModelEditor& editor, const SetInitializer& change) {
  const onnx::GraphProto* graph = editor.find(change.graph);
  if (graph == nullptr) return false;
  return change.graph.steps.empty() || !has_named(graph->input(), change.value.name());
}
void perform_in(ModelEditor& editor, const SetInitializer& change) {
  onnx::GraphProto& graph = *editor.find(change.graph);
  const std::string& name = change.value.name();
  bool existed = keep_if(*graph.mutable_sparse_initializer(),
                         [&](const onnx::SparseTensorProto& sparse) { return sparse.values().name() != name; }) > 0;
  bool placed = false;
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    if (tensor.name() == name) tensor = change.value, placed = true;
  }
  existed = existed || placed;
  if (!placed) *graph.add_initializer() = change.value;

  for (onnx::ValueInfoProto& value : *graph.mutable_value_info()) {
    if (value.name() == name) set_type(value, change.value);
  }
  const bool needs_input = model::initializers_are_inputs(editor.proto());
  const auto input = find_named(*graph.mutable_input(), name);
  if (input != graph.mutable_input()->end()) {
    if (existed || needs_input) {
      set_type(*input, change.value);
    } else {
      remove_named(*graph.mutable_input(), name);
    }
  } else if (needs_input) {
    *graph.add_input() = model::to_value_info(change.value);
  }
}

// RemoveInitializer
bool finds_in(ModelEditor& editor, const RemoveInitializer& change) {
  const onnx::GraphProto* graph = editor.find(change.graph);
  if (graph == nullptr) return false;
  return has_named(graph->initializer(), change.tensor) ||
         std::ranges::any_of(graph->sparse_initializer(),
                             [&](const auto& sparse) { return sparse.values().name() == change.tensor; });
}
void perform_in(ModelEditor& editor, const RemoveInitializer& change) {
  onnx::GraphProto& graph = *editor.find(change.graph);
  editor.note_undefined(graph, change.tensor);
  remove_named(*graph.mutable_initializer(), change.tensor);
  keep_if(*graph.mutable_sparse_initializer(),
          [&](const onnx::SparseTensorProto& sparse) { return sparse.values().name() != change.tensor; });
}

// SetInput, SetOutput, SetValueInfo
void set_value(google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values, const onnx::ValueInfoProto& value) {
  const auto at = find_named(values, value.name());
  (at != values.end() ? *at : *values.Add()) = value;
}

void perform_in(ModelEditor& editor, const SetInput& change) {
  set_value(*editor.graph().mutable_input(), change.value);
}

void perform_in(ModelEditor& editor, const SetOutput& change) {
  set_value(*editor.graph().mutable_output(), change.value);
}

void perform_in(ModelEditor& editor, const SetValueInfo& change) {
  set_value(*editor.graph().mutable_value_info(), change.value);
}

// RemoveOutput
bool finds_in(ModelEditor& editor, const RemoveOutput& change) {
  const onnx::GraphProto* graph = editor.find(change.graph);
  return graph != nullptr && has_named(graph->output(), change.tensor);
}
void perform_in(ModelEditor& editor, const RemoveOutput& change) {
  onnx::GraphProto& graph = *editor.find(change.graph);
  remove_named(*graph.mutable_output(), change.tensor);
  editor.release(graph, change.tensor);
}

// RemoveInput
bool finds_in(ModelEditor& editor, const RemoveInput& change) {
  const onnx::GraphProto* graph = editor.find(change.graph);
  return graph != nullptr && has_named(graph->input(), change.tensor);
}
void perform_in(ModelEditor& editor, const RemoveInput& change) {
  onnx::GraphProto& graph = *editor.find(change.graph);
  editor.note_undefined(graph, change.tensor);
  remove_named(*graph.mutable_input(), change.tensor);
}

// SetSize
bool finds_in(ModelEditor& editor, const SetSize& change) {
  return can_set_size(editor.model(), change.tensor, change.axis, change.size);
}
void perform_in(ModelEditor& editor, const SetSize& change) {
  set_size(editor.model(), change.tensor, change.axis, change.size);
}

// BypassFunctionNode
bool finds_in(ModelEditor& editor, const BypassFunctionNode& change) {
  const onnx::FunctionProto* function = find_function(editor.proto(), change.function);
  return function != nullptr && can_bypass(*function, change.output, change.input);
}
void perform_in(ModelEditor& editor, const BypassFunctionNode& change) {
  bypass(*find_function(editor.proto(), change.function), change.output, change.input);
}

// RenameNode
void perform_in(ModelEditor& editor, const RenameNode& change) {
  editor.find(change.node)->set_name(change.name);
}

// RenameTensors
void perform_in(ModelEditor& editor, const RenameTensors& change) {
  editor.rename_later(*editor.find(change.graph), change.names);
}

// LowerOpset
onnx::OperatorSetIdProto* find_opset(ModelEditor& editor, const LowerOpset& change) {
  const auto at = std::ranges::find_if(*editor.proto().mutable_opset_import(), [&](const auto& opset) {
    return opset.domain() == change.domain && opset.version() > change.version;
  });
  return at == editor.proto().mutable_opset_import()->end() ? nullptr : &*at;
}
bool finds_in(ModelEditor& editor, const LowerOpset& change) {
  return find_opset(editor, change) != nullptr;
}
void perform_in(ModelEditor& editor, const LowerOpset& change) {
  find_opset(editor, change)->set_version(change.version);
}

// ImportOpset
void perform_in(ModelEditor& editor, const ImportOpset& change) {
  if (model::opset_version(editor.proto(), change.domain) != 0) return;
  onnx::OperatorSetIdProto& import = *editor.proto().add_opset_import();
  import.set_domain(change.domain);
  import.set_version(change.version);
}

// RemoveDetail
bool finds_in(ModelEditor& editor, const RemoveDetail& change) {
  onnx::ModelProto without = editor.proto();
  return remove_detail(without, change.detail);
}
void perform_in(ModelEditor& editor, const RemoveDetail& change) {
  remove_detail(editor.proto(), change.detail);
}

}  // namespace

bool finds(ModelEditor& editor, const Primitive& primitive) {
  return std::visit([&](const auto& change) { return finds_in(editor, change); }, primitive);
}

void perform(ModelEditor& editor, const Primitive& primitive) {
  std::visit(
      [&](const auto& change) {
        if (finds_in(editor, change)) perform_in(editor, change);
      },
      primitive);
}

}  // namespace assay::edit
