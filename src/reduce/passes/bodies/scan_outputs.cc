// If a stacked tensor is only a graph output, the slice itself becomes the output, with its own type, which saves a
// node. In all other cases a node restores the stacked dimension, so that readers get the rank that they expect.
#include "reduce/passes/bodies/scan_outputs.h"

namespace assay::reduce {

ScanOutputs::ScanOutputs(const Place& place, const onnx::NodeProto& node, int first, const onnx::GraphProto& body,
                         int body_offset, const edit::KnownValues& known)
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
    const std::size_t number = i - static_cast<std::size_t>(first_);
    const std::int64_t axis = number < axes.size() ? axes[number] : 0;
    add_unsqueeze(body, outputs_[i].slice, node_.output(static_cast<int>(i)), axis, opset, names);
  }
}

void ScanOutputs::declare(edit::ModelChange& change) const {
  if (!place_.path.steps.empty()) return;
  for (int i = 0; i < node_.output_size(); ++i) {
    const std::string& name = node_.output(i);
    if (name.empty() || !is_output(*place_.graph, name) || outputs_[static_cast<std::size_t>(i)].stack) continue;
    auto type = type_of(body_, in_body(i), known_);
    if (!type) continue;
    type->set_name(name);
    edit::SetOutput output;
    output.value = *std::move(type);
    change.primitives.emplace_back(std::move(output));
  }
}

}  // namespace assay::reduce
