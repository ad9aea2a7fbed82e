#include "reduce/search/body_removals.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/at.h"
#include "edit/changes/model_editor.h"
#include "edit/keep_if.h"
#include "edit/keeps_type.h"
#include "edit/node_places.h"
#include "edit/rename_tensors.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/bound_loops.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/candidates/zeros.h"
#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/pass.h"
#include "reduce/search/single_change.h"

namespace assay::reduce {
namespace {

// A node of a body.
struct Inner {
  Place place;
  const onnx::NodeProto* node;
};

std::vector<Inner> inner_nodes(const model::Model& model) {
  std::vector<Inner> nodes;
  for (const Place& place : bodies_of(model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) nodes.push_back({place, &node});
  }
  return nodes;
}

// An Identity or a Constant that makes an output of a body has to stay unless zeros of a known type replace it: a body
// has to define its outputs itself.
bool has_to_stay(const Inner& inner) {
  const onnx::NodeProto& node = *inner.node;
  return node.output_size() == 1 && is_output(*inner.place.graph, node.output(0)) &&
         (is_operator(node, "Identity") || is_operator(node, "Constant"));
}

// Unlike the pass, also bypasses a node if the body then returns one of its own inputs, which many engines reject.
SharedModel bypassed(const model::Model& model, const Inner& inner, const edit::ValueInfos& known, int input) {
  auto result = std::make_shared<model::Model>(model);
  onnx::GraphProto* body = edit::find_graph(result->graph(), inner.place.path);
  if (body == nullptr) return nullptr;
  const std::string output = inner.node->output(0);
  const std::string from = inner.node->input(input);
  edit::keep_if(*body->mutable_node(),
                [&](const onnx::NodeProto& other) { return other.output_size() != 1 || other.output(0) != output; });
  edit::rename_tensors(*body, {{output, from}});
  bound_loops(model, known, *result);
  return result;
}

// The types of a node's outputs, in order. Nothing stands for a type that isn't known.
using OutputTypes = std::vector<std::optional<onnx::ValueInfoProto>>;

// A body may also return an initializer. Zeros take the place of all outputs of the node. ONNX infers no types of
// initializers that a body returns, so their types are declared. Models before IR version 4 can't have them.
SharedModel returned_as_zeros(const model::Model& model, const Inner& inner, const edit::ValueInfos& known,
                              const OutputTypes& output_types) {
  if (model.proto.ir_version() < 4) return nullptr;
  const auto& [place, node] = inner;
  edit::ModelChange change;
  std::vector<onnx::ValueInfoProto> types;
  for (int i = 0; i < node->output_size(); ++i) {
    const std::string& output = node->output(i);
    if (output.empty() || (!is_output(*place.graph, output) && !is_read(*place.graph, output))) continue;
    auto type = output_types[base::at(i)];
    if (!type || !has_shape(*type)) return nullptr;
    type->set_name(output);
    auto zeros = zeros_node(*type);
    if (!zeros) return nullptr;
    onnx::TensorProto value = std::move(*zeros->mutable_attribute(0)->mutable_t());
    value.set_name(output);
    change.primitives.emplace_back(edit::SetInitializer{place.path, std::move(value)});
    types.push_back(*std::move(type));
  }
  change.primitives.emplace_back(edit::RemoveNode{reference_to(place, *node)});
  const SharedModel removed = apply_alone(model, change, known);
  if (!removed) return nullptr;
  auto result = std::make_shared<model::Model>(*removed);
  onnx::GraphProto* body = edit::find_graph(result->graph(), place.path);
  if (body == nullptr) return nullptr;
  for (onnx::ValueInfoProto& output : *body->mutable_output()) {
    const auto type = std::ranges::find(types, output.name(), &onnx::ValueInfoProto::name);
    if (type != types.end()) output = *type;
  }
  return result;
}

using Ways = std::vector<InnerRemoval>;

std::string describe_inner(const Inner& inner) {
  return model::describe_node(*inner.node) + " in the body of '" + inner.place.path.steps.back().node + "'";
}

void add_bypasses(const SharedModel& model, std::size_t at, const Inner& inner, const edit::ValueInfos& known,
                  Ways& ways) {
  const onnx::NodeProto& node = *inner.node;
  const onnx::GraphProto& graph = *inner.place.graph;
  if (node.output_size() != 1 || node.output(0).empty()) return;
  const auto made = type_of(graph, node.output(0), known);
  const bool is_returned = is_output(graph, node.output(0));
  const auto& inputs = node.input();
  for (int i = 0; i < node.input_size(); ++i) {
    if (inputs[i].empty() || std::find(inputs.begin(), inputs.begin() + i, inputs[i]) != inputs.begin() + i) continue;
    const auto read = type_of(graph, inputs[i], known);
    const bool keeps_type = i == 0 && edit::keeps_type(node);
    const bool fits = keeps_type || (made && read && same_type(*made, *read));
    // ONNX requires a body to define its outputs, each under its own name.
    if (!fits || (is_returned && (!defines(graph, inputs[i]) || is_output(graph, inputs[i])))) continue;
    ways.push_back({at, describe_inner(inner) + " bypassed: '" + inputs[i] + "' in place of its output",
                    [model, inner, &known, i] { return bypassed(*model, inner, known, i); }});
  }
}

// Adds what the passes for bodies propose.
void add_changes(const SharedModel& model, const std::vector<Inner>& nodes, const edit::ValueInfos& known,
                 const tensor::NamedTensors& values, Ways& ways) {
  std::vector<edit::NodeRef> refs;
  for (const Inner& inner : nodes) refs.push_back(reference_to(inner.place, *inner.node));
  const PassInput input{.model = *model, .known = known, .values = values};
  for (const auto& propose : {remove_body_nodes, bypass_body_nodes}) {
    for (const edit::ModelChange& change : propose(input)) {
      if (const auto node = position_of_removed(change, refs)) {
        ways.push_back({*node, change.what, [model, change, &known] { return apply_alone(*model, change, known); }});
      }
    }
  }
}

// The branches of an If may return different ranks. Then the rank of its output isn't known, but those of its branches
// are, and zeros of each are tried.
void add_zeros_of_branches(const SharedModel& model, std::size_t at, const Inner& inner, const edit::ValueInfos& known,
                           Ways& ways) {
  for (const std::string_view name : model::kBranches) {
    const onnx::GraphProto* branch = find_body(*inner.node, name);
    if (branch == nullptr || branch->output_size() != inner.node->output_size()) continue;
    OutputTypes types;
    for (const auto& output : branch->output()) types.push_back(type_of(*branch, output.name(), known));
    ways.push_back({at, fmt::format("{} replaced by zeros, as {} returns them", describe_inner(inner), name),
                    [model, inner, &known, types] { return returned_as_zeros(*model, inner, known, types); }});
  }
}

void add_zeros(const SharedModel& model, std::size_t at, const Inner& inner, const edit::ValueInfos& known,
               Ways& ways) {
  const auto& outputs = inner.node->output();
  const auto is_returned = [&](const std::string& output) { return is_output(*inner.place.graph, output); };
  if (std::ranges::none_of(outputs, is_returned)) return;
  OutputTypes types;
  bool all_known = true;
  for (const std::string& output : outputs) {
    const auto& type = types.emplace_back(type_of(*inner.place.graph, output, known));
    all_known &= output.empty() || (type && has_shape(*type));
  }
  ways.push_back({at, describe_inner(inner) + " replaced by zeros",
                  [model, inner, &known, types] { return returned_as_zeros(*model, inner, known, types); }});
  if (!all_known && is_operator(*inner.node, "If")) add_zeros_of_branches(model, at, inner, known, ways);
}

}  // namespace

std::vector<InnerNode> body_nodes(const model::Model& model) {
  std::vector<InnerNode> nodes;
  for (const Inner& inner : inner_nodes(model)) {
    nodes.push_back({.what = describe_inner(inner),
                     .has_to_stay = has_to_stay(inner),
                     .can_be_value = can_be_value(*inner.node, *inner.place.graph)});
  }
  return nodes;
}

std::vector<InnerRemoval> body_removals(const SharedModel& model, const edit::ValueInfos& known,
                                        const tensor::NamedTensors& values) {
  const std::vector<Inner> nodes = inner_nodes(*model);
  Ways ways;
  for (std::size_t at = 0; at < nodes.size(); ++at) add_bypasses(model, at, nodes[at], known, ways);
  if (!nodes.empty()) add_changes(model, nodes, known, values, ways);
  for (std::size_t at = 0; at < nodes.size(); ++at) add_zeros(model, at, nodes[at], known, ways);
  return ways;
}

}  // namespace assay::reduce
