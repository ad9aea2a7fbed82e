// If a stacked tensor is only a graph output, the slice itself becomes the output, with its own type, which saves a
// node. In all other cases a node restores the stacked dimension, so that readers get the rank that they expect.
#include "reduce/passes/bodies/scan_outputs.h"

#include <optional>
#include <set>
#include <utility>

#include "base/at.h"
#include "model/graph_view.h"
#include "model/shapes.h"

namespace assay::reduce {

ScanOutputs::ScanOutputs(const Place& place, const onnx::NodeProto& node, int first, const onnx::GraphProto& body,
                         int body_offset, const edit::ValueInfos& known)
    : place_(place), node_(node), first_(first), body_(body), body_offset_(body_offset), known_(known) {}

std::vector<std::string> ScanOutputs::slice_names(FreshNames& names) {
  std::vector<std::string> slices;
  for (int i = 0; i < node_.output_size(); ++i) {
    Output output{node_.output(i), false};
    const bool wanted =
        !output.slice.empty() && (is_read(*place_.graph, output.slice) || is_output(*place_.graph, output.slice));
    if (i >= first_ && wanted) {
      const bool outer = place_.path.steps.empty();
      output.stack = !outer || is_read(*place_.graph, output.slice) || !type_of(body_, in_body(i), known_).has_value();
      if (output.stack) output.slice = names.make(output.slice + "_slice");
    }
    slices.push_back(output.slice);
    outputs_.push_back(std::move(output));
  }
  return slices;
}

void ScanOutputs::stack(OpenedBody& body, const std::vector<std::int64_t>& axes, int opset, FreshNames& names) const {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i].stack) continue;
    add_unsqueeze(body, outputs_[i].slice, node_.output(static_cast<int>(i)), axis_of(i, axes), opset, names);
  }
}

namespace {

// Returns the names of the tensors and of all that is computed from them.
std::set<std::string> all_behind(const onnx::GraphProto& graph, std::vector<std::string> names) {
  const model::GraphView view(graph);
  std::set<std::string> found(names.begin(), names.end());
  while (!names.empty()) {
    const model::TensorId tensor = view.find(names.back());
    names.pop_back();
    if (tensor == model::kNone) continue;
    for (const model::NodeId reader : view.consumers(tensor)) {
      for (const std::string& output : graph.node(reader).output()) {
        if (found.insert(output).second) names.push_back(output);
      }
    }
  }
  return found;
}

// Returns nothing if no size is declared.
std::optional<onnx::ValueInfoProto> with_open_sizes(const onnx::ValueInfoProto& value) {
  if (value.type().tensor_type().shape().dim().empty()) return std::nullopt;
  onnx::ValueInfoProto open = value;
  for (auto& dim : *open.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) dim.Clear();
  return open;
}

bool has_fixed_size(const onnx::ValueInfoProto& value, std::int64_t axis) {
  const auto& dims = value.type().tensor_type().shape().dim();
  if (axis < 0) axis += dims.size();
  return axis >= 0 && axis < dims.size() && dims.Get(static_cast<int>(axis)).has_dim_value();
}

}  // namespace

std::int64_t ScanOutputs::axis_of(std::size_t output, const std::vector<std::int64_t>& axes) const {
  const std::size_t number = output - base::at(first_);
  return number < axes.size() ? axes[number] : 0;
}

void ScanOutputs::open_sizes_behind(edit::ModelChange& change, const std::vector<std::int64_t>& axes) const {
  std::vector<std::string> stacked;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const std::string& name = node_.output(static_cast<int>(i));
    if (!outputs_[i].stack) continue;
    const auto type = type_of(*place_.graph, name, known_);
    if (type && has_fixed_size(*type, axis_of(i, axes))) stacked.push_back(name);
  }
  if (stacked.empty()) return;
  const onnx::GraphProto& graph = *place_.graph;
  const std::set<std::string> behind = all_behind(graph, std::move(stacked));
  for (const onnx::ValueInfoProto& output : graph.output()) {
    if (!behind.contains(output.name())) continue;
    if (auto open = with_open_sizes(output)) change.primitives.emplace_back(edit::SetOutput{*std::move(open)});
  }
  for (const onnx::ValueInfoProto& value : graph.value_info()) {
    if (!behind.contains(value.name())) continue;
    if (auto open = with_open_sizes(value)) change.primitives.emplace_back(edit::SetValueInfo{*std::move(open)});
  }
}

// A body needn't declare ranks, but ONNX's checker demands them for the outputs of a model.
void ScanOutputs::add_rank(int output, onnx::ValueInfoProto& value) const {
  const auto before = type_of(*place_.graph, node_.output(output), known_);
  if (!value.type().has_tensor_type() || has_shape(value) || !before || !has_shape(*before)) return;
  const int rank = before->type().tensor_type().shape().dim_size() - (output >= first_ ? 1 : 0);
  model::set_rank(*value.mutable_type()->mutable_tensor_type(), rank);
}

void ScanOutputs::declare(edit::ModelChange& change, const std::vector<std::int64_t>& axes) const {
  if (!place_.path.steps.empty()) return;
  open_sizes_behind(change, axes);
  for (int i = 0; i < node_.output_size(); ++i) {
    const std::string& name = node_.output(i);
    if (name.empty() || !is_output(*place_.graph, name) || outputs_[base::at(i)].stack) continue;
    auto type = type_of(body_, in_body(i), known_);
    if (!type) continue;
    type->set_name(name);
    add_rank(i, *type);
    change.primitives.emplace_back(edit::SetOutput{*std::move(type)});
  }
}

}  // namespace assay::reduce
