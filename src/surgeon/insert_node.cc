// Names decide what is connected, so inserting a node means renaming: definitions of a tensor if the node takes over
// its name, or readers of a tensor if they have to read what the node computes.
#include "surgeon/insert_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "edit/rename_tensors.h"
#include "edit/tensor_names.h"
#include "model/attributes.h"
#include "model/function_calls.h"
#include "model/graph_view.h"
#include "model/inference/type_faults.h"
#include "model/operator_schema.h"
#include "model/shapes.h"
#include "surgeon/graph/correct_shapes.h"
#include "surgeon/graph/drop_unused.h"
#include "surgeon/graph/new_type_faults.h"
#include "surgeon/graph/no_such_tensor.h"
#include "surgeon/graph/sort_nodes.h"
#include "tensor/element_type.h"

namespace assay::surgeon {
namespace {

using base::ErrorKind;
using base::fail;
using model::kNone;
using model::TensorId;
using Names = google::protobuf::RepeatedPtrField<std::string>;

bool reads(const onnx::NodeProto& node, const std::string& name) {
  return std::ranges::find(node.input(), name) != node.input().end();
}

base::Status check_names(const model::GraphView& view, const onnx::NodeProto& node) {
  for (const std::string& input : node.input()) {
    if (!input.empty() && view.find(input) == kNone) return fail(no_such_tensor(view, input, "--inputs"));
  }
  std::set<std::string> seen;
  for (const std::string& output : node.output()) {
    const TensorId id = view.find(output);
    if (id == kNone) return fail(no_such_tensor(view, output, "--outputs"));
    if (!seen.insert(output).second) {
      return fail(ErrorKind::invalid_input, fmt::format("'{}' is given twice", output), "--outputs",
                  "Name each tensor once");
    }
    const bool read = reads(node, output);
    if (view.is_graph_input(id) && (!read || view.is_graph_output(id))) {
      return fail(ErrorKind::invalid_input,
                  fmt::format("'{}' is an input of the model, which a node can't compute", output), "--outputs",
                  read ? "Choose a tensor that isn't both an input and an output of the model"
                       : "Give it as an input as well, so that the node comes after it");
    }
  }
  return {};
}

// Returns the first position after all nodes that compute the node's inputs, as in Polygraphy.
int find_position(const model::GraphView& view, const onnx::NodeProto& node) {
  int position = 0;
  for (const std::string& input : node.input()) {
    position = std::max(position, view.producer(view.find(input)) + 1);
  }
  return position;
}

class Insertion {
 public:
  explicit Insertion(onnx::GraphProto& graph) : graph_(graph), names_(graph) {}

  // Makes the node's outputs what the rest of the graph reads.
  void connect(onnx::NodeProto& node, const std::set<std::string>& graph_outputs) {
    for (std::string& output : *node.mutable_output()) {
      const std::string name = output;
      if (!reads(node, name)) {
        rename_definitions(name, names_.take(name + "_replaced", 0));
        continue;
      }
      const std::string added = names_.take(name + "_polygraphy_surgeon_insert_output", 0);
      if (graph_outputs.contains(name)) {
        rename_definitions(name, added);
        for (std::string& input : *node.mutable_input()) {
          if (input == name) input = added;
        }
        declare_like(name, added);
      } else {
        edit::rename_tensors(graph_, {{name, added}});
        rename_definitions(added, name);
        for (onnx::ValueInfoProto& value : *graph_.mutable_value_info()) {
          if (value.name() == added) value.set_name(name);
        }
        output = added;
      }
    }
  }

 private:
  void rename_definitions(const std::string& from, const std::string& to) {
    const auto rename = [&](std::string& name) {
      if (name == from) name = to;
    };
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      for (std::string& output : *node.mutable_output()) rename(output);
    }
    for (onnx::TensorProto& weight : *graph_.mutable_initializer()) rename(*weight.mutable_name());
    for (onnx::SparseTensorProto& weight : *graph_.mutable_sparse_initializer()) {
      rename(*weight.mutable_values()->mutable_name());
    }
    for (onnx::ValueInfoProto& input : *graph_.mutable_input()) rename(*input.mutable_name());
  }

  void declare_like(const std::string& output, const std::string& added) {
    for (const onnx::ValueInfoProto& value : graph_.output()) {
      if (value.name() != output) continue;
      *graph_.add_value_info() = value;
      graph_.mutable_value_info()->rbegin()->set_name(added);
    }
  }

  onnx::GraphProto& graph_;
  edit::TensorNames names_;
};

void add_at(onnx::GraphProto& graph, int position, onnx::NodeProto node) {
  *graph.add_node() = std::move(node);
  for (int i = graph.node_size() - 1; i > position; --i) graph.mutable_node()->SwapElements(i, i - 1);
}

// Returns the first version of the default operator set, from the given one on, that has the operator; the given one if
// none has it.
int first_version(const std::string& op, int from) {
  const onnx::OpSchema* const newest = onnx::OpSchemaRegistry::Schema(op);
  int version = from;
  while (newest != nullptr && version < newest->since_version() &&
         onnx::OpSchemaRegistry::Schema(op, version) == nullptr) {
    ++version;
  }
  return version;
}

// Returns what is wrong with the number of inputs and outputs, or with the attributes, of an operator that ONNX has, or
// that the model's version of the operator set lacks it.
std::string wrong_form(const model::Model& model, const onnx::NodeProto& node) {
  const onnx::OpSchema* schema = model::operator_schema(model, node);
  if (schema == nullptr && model::is_default_domain(node.domain()) &&
      model::find_function(model.proto, node) == nullptr) {
    const int opset = model::default_opset(model.proto);
    const int needed = first_version(node.op_type(), opset);
    if (needed == opset) return {};
    return fmt::format("ONNX has {} from opset {} on, but the model imports opset {}", node.op_type(), needed, opset);
  }
  if (schema == nullptr) return {};
  try {
    schema->Verify(node);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

// ONNX writes an element type as its number, such as Cast's `to`. The user may write its name instead.
void write_types_as_numbers(const model::Model& model, onnx::NodeProto& node) {
  const onnx::OpSchema* schema = model::operator_schema(model, node);
  if (schema == nullptr) return;
  for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
    const auto known = schema->attributes().find(attribute.name());
    if (known == schema->attributes().end() || known->second.type != onnx::AttributeProto::INT) continue;
    const auto type = tensor::parse_element_type(attribute.s());
    if (attribute.type() != onnx::AttributeProto::STRING || !type) continue;
    attribute.clear_s();
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(static_cast<int>(*type));
  }
}

// Declares outputs of the model that a Cast computes with the type to which it casts: engines refuse any other one.
void declare_cast_outputs(onnx::GraphProto& graph, const onnx::NodeProto& node, base::Log& log) {
  if (node.op_type() != "Cast" || !model::is_default_domain(node.domain())) return;
  const auto to = std::ranges::find(node.attribute(), "to", &onnx::AttributeProto::name);
  if (to == node.attribute().end() || to->type() != onnx::AttributeProto::INT) return;
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
    if (std::ranges::find(node.output(), output.name()) == node.output().end()) continue;
    onnx::TypeProto_Tensor* const type = output.mutable_type()->mutable_tensor_type();
    if (type->elem_type() == to->i()) continue;
    type->set_elem_type(static_cast<std::int32_t>(to->i()));
    log.info("The output '{}' of the model is {} now", output.name(),
             tensor::name(static_cast<tensor::ElementType>(to->i())));
  }
}

// Imports the operator set of a node of the default domain if the model doesn't, as models of ai.onnx.ml alone may not:
// the first version, from a common one on, in which ONNX has the operator.
void import_operators(onnx::ModelProto& model, const onnx::NodeProto& node) {
  if (!model::is_default_domain(node.domain()) || model::default_opset(model) != 0) return;
  constexpr int kCommon = 13;  // every engine knows it
  model.add_opset_import()->set_version(first_version(node.op_type(), kCommon));
}

bool surely_equal(const model::TensorInfo& first, const model::TensorInfo& second) {
  if (!first.shape || !second.shape) return false;
  return std::ranges::equal(*first.shape, *second.shape, [](const model::Dimension& a, const model::Dimension& b) {
    return a.value == b.value && a.symbol == b.symbol && (a.value >= 0 || !a.symbol.empty());
  });
}

// Removes the shapes that bodies declare, unless the new node surely computes the shapes of the tensors in whose place
// it comes. Inference doesn't find out that those of a Loop's body are false. `places`: these tensors.
void remove_shapes_in_bodies(const model::Model& before, const Names& places, model::Model& model,
                             const Names& outputs) {
  if (std::ranges::none_of(model.graph().node(), model::has_body)) return;
  const auto known_before = model::find_type_faults(before).known, known = model::find_type_faults(model).known;
  for (int i = 0; i < outputs.size(); ++i) {
    const auto old = known_before.find(places[i]), now = known.find(outputs[i]);
    if (old != known_before.end() && now != known.end() && surely_equal(old->second, now->second)) continue;
    model::remove_stale_shapes_in_bodies(model.graph());
    return;
  }
}

bool has_several(const onnx::GraphProto& graph, const std::string& name) {
  const auto has_name = [&](const onnx::NodeProto& node) { return node.name() == name; };
  return std::ranges::count_if(graph.node(), has_name) > 1;
}

}  // namespace

base::Status insert_node(model::Model& model, onnx::NodeProto node, base::Log& log) {
  if (node.op_type().empty()) {
    return fail(ErrorKind::invalid_input, "the operator has no name", "--op", "Name one, such as Relu");
  }
  const model::Model before = model;
  import_operators(model.proto, node);
  write_types_as_numbers(model, node);
  if (const std::string fault = wrong_form(model, node); !fault.empty()) {
    log.warning("Engines won't take the new node: {}", fault);
  }
  ASSAY_TRY(sort_nodes(model));  // so that a cycle found below is the node's
  onnx::GraphProto& graph = model.graph();
  int position = 0;
  {
    const model::GraphView view(graph);
    ASSAY_TRY(check_names(view, node));
    position = find_position(view, node);
  }
  std::set<std::string> outputs;
  for (const onnx::ValueInfoProto& output : graph.output()) outputs.insert(output.name());
  const std::string name = node.name();
  const Names places = node.output();
  Insertion(graph).connect(node, outputs);
  const Names computed = node.output();
  declare_cast_outputs(graph, node, log);
  add_at(graph, position, std::move(node));
  if (!sort_nodes(model)) {
    return fail(ErrorKind::invalid_input, "the node would create a cycle: one of its inputs depends on its outputs",
                "--inputs, --outputs", "Choose inputs that are computed before the outputs");
  }
  drop_dead_nodes(model);
  drop_unused_initializers(model);
  if (!name.empty() && has_several(graph, name)) {
    log.warning("Another node is named '{}', too: ONNX Runtime refuses such models", name);
  }
  remove_shapes_in_bodies(before, places, model, computed);
  const std::vector<CorrectedShape> corrected = correct_shapes(model);
  if (!corrected.empty()) log.info("Corrected declared shapes: {}", list_faults(corrected));
  for (const std::string& fault : new_type_faults(before, model)) {
    log.warning("The new node contradicts the model: {}", fault);
  }
  return {};
}

}  // namespace assay::surgeon
