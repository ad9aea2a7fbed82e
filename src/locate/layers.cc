#include "locate/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/list_first.h"
#include "edit/visit_graphs.h"
#include "model/function_calls.h"
#include "model/source_line.h"

namespace assay::locate {
namespace {

constexpr std::size_t kMostHidden = 3;  // nodes named in a note

std::optional<SeenTensor> find(const SeenByName& seen, const std::string& name) {
  const auto at = seen.find(name);
  return at == seen.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

Layer layer_of(const NamedModel& named, const std::string& tensor, const SeenTensor& seen) {
  const model::NodeId node = named.skeleton.nodes[static_cast<std::size_t>(named.skeleton.cell_of.at(tensor))];
  return {.tensor = tensor,
          .node_index = node,
          .node = model::describe_node(named.model.graph().node(node), node),
          .source = model::source_line(named.model.graph().node(node)),
          .description = seen.description,
          .in_model = seen.divergence,
          .alone = {}};
}

SeenLayers layers_of(const NamedModel& named, const SeenTensors& seen, CellId first) {
  SeenLayers result;
  for (std::size_t i = 0; i < named.skeleton.size(); ++i) {
    for (const std::string& name : named.skeleton.results[i]) {
      const auto in_model = find(seen.in_model, name);
      const auto alone = find(seen.alone, name);
      if (!in_model && !alone) continue;
      Layer row = layer_of(named, name, in_model ? *in_model : *alone);
      if (alone) row.alone = alone->divergence;
      const bool grew = row.in_model.differs && row.alone && !row.alone->differs;
      if (result.grew_earlier.empty() && grew && static_cast<CellId>(i) < first) result.grew_earlier = name;
      if (in_model) result.layers.push_back(std::move(row));
    }
  }
  return result;
}

NamedTensor tensor_of(const NamedModel& named, const SeenTensors& seen, CellId cell) {
  NamedTensor result;
  std::pair best{-1, 0.0};
  for (const std::string& name : named.skeleton.results[static_cast<std::size_t>(cell)]) {
    const auto in_model = find(seen.in_model, name);
    const auto alone = find(seen.alone, name);
    const auto in_piece = find(seen.in_pieces, name);
    std::pair weight{0, in_model ? in_model->divergence.size : 0};
    if (in_piece && in_piece->divergence.differs) weight = {1, in_piece->divergence.size};
    if (alone && alone->divergence.differs) weight = {2, alone->divergence.size};
    if (weight <= best) continue;
    best = weight;
    result.layer = layer_of(named, name, in_model.value_or(alone.value_or(in_piece.value_or(SeenTensor{}))));
    result.layer.alone = alone ? std::optional(alone->divergence) : std::nullopt;
    result.in_piece = in_piece ? std::optional(in_piece->divergence) : std::nullopt;
  }
  return result;
}

namespace {

std::vector<WeightBeyondFloat16> weights_of(const LocateInput& input, model::NodeId node) {
  std::vector<WeightBeyondFloat16> weights;
  if (node < 0) return weights;
  for (const std::string& name : input.model.graph().node(node).input()) {
    const auto at = input.weights_beyond_float16.find(name);
    const bool known = std::ranges::find(weights, name, &WeightBeyondFloat16::name) != weights.end();
    if (at != input.weights_beyond_float16.end() && !known) weights.push_back({name, at->second});
  }
  return weights;
}

}  // namespace

void name_weights(const LocateInput& input, Location& location) {
  if (input.weights_beyond_float16.empty()) return;
  for (Layer* layer : {&location.first_tensor, &location.worst_tensor}) {
    layer->weights = weights_of(input, layer->node_index);
  }
  for (Layer& layer : location.layers) layer.weights = weights_of(input, layer.node_index);
}

std::string describe_insides(const std::vector<Reading>& readings) {
  const auto differing = std::ranges::count_if(readings, &Reading::differs);
  if (readings.empty()) return "Tensors inside could not be compared";
  if (differing == 0) return "Tensors inside agree, too";
  return fmt::format("{} of {} tensors inside differ, by accumulated rounding", differing, readings.size());
}

std::string note_on_hidden_insides(const model::Model& model) {
  std::vector<std::string> hidden;
  for (int i = 0; i < model.graph().node_size(); ++i) {
    const onnx::NodeProto& node = model.graph().node(i);
    bool has_body = model::find_function(model.proto, node) != nullptr;
    edit::visit_bodies(node, [&](const onnx::GraphProto&) { has_body = true; });
    if (has_body) hidden.push_back(model::describe_node(node, i));
  }
  if (hidden.empty()) return {};
  return "Tensors inside these nodes can't be marked, so a difference there is only seen if it reaches their "
         "results: " +
         base::list_first(std::move(hidden), kMostHidden, ", ");
}

std::vector<std::string> describe_nodes(const Part& part, const PartBuilder& named) {
  std::vector<std::string> nodes;
  for (const onnx::NodeProto& node : part.model.graph().node()) {
    if (node.op_type() == "Constant") continue;  // a value, as for debug reduce
    const model::TensorId made = named.view().find(node.output_size() > 0 ? node.output(0) : std::string());
    nodes.push_back(model::describe_node(node, named.view().producer(made)));
  }
  return nodes;
}

std::vector<std::string> describe_cells(const NamedModel& named, const std::vector<CellId>& cells) {
  std::vector<std::string> nodes;
  for (const CellId cell : cells) {
    const model::NodeId node = named.skeleton.nodes[static_cast<std::size_t>(cell)];
    nodes.push_back(model::describe_node(named.model.graph().node(node), node));
  }
  return nodes;
}

std::vector<std::string> notes_on_insides(const model::Model& model, model::NodeId id) {
  const onnx::NodeProto& node = model.graph().node(id);
  std::vector<std::string> notes;
  int inside = 0;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g()) inside += attribute.g().node_size();
  }
  if (inside > 0) {
    notes.push_back(
        fmt::format("{} nodes are in bodies of {}, whose tensors can't be marked; to continue there, run "
                    "`assay debug reduce` on the piece",
                    inside, node.op_type()));
  }
  if (const onnx::FunctionProto* function = model::find_function(model.proto, node)) {
    notes.push_back(
        fmt::format("{} is a function of the model with {} nodes, whose tensors can't be marked; "
                    "--inline-functions replaces it by its nodes",
                    node.op_type(), function->node_size()));
  }
  return notes;
}

}  // namespace assay::locate
