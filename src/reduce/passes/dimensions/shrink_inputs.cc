// Sizes of inputs that shrink_dimensions leaves alone, such as those over which windows slide. No rule says what else
// depends on them, so each is tried by itself: ONNX's shape inference decides whether the model remains valid. Sizes of
// other tensors follow, so declared sizes of outputs are left open, and those of inner tensors are removed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "edit/node_places.h"
#include "model/inference/check.h"
#include "model/inference/infer_shapes.h"
#include "model/inference/tensor_bytes.h"
#include "model/shapes.h"
#include "reduce/passes/dimensions/dimension_passes.h"
#include "reduce/passes/dimensions/dimensions.h"

namespace assay::reduce {
namespace {

// Returns the primitives that make declared sizes follow those of the inputs.
std::vector<edit::Primitive> open_sizes(const onnx::GraphProto& graph) {
  std::vector<edit::Primitive> primitives;
  if (graph.value_info_size() > 0) primitives.emplace_back(edit::RemoveDetail{edit::Detail::value_infos});
  for (const onnx::ValueInfoProto& output : graph.output()) {
    if (!output.type().tensor_type().has_shape()) continue;
    onnx::ValueInfoProto open = output;
    for (auto& size : *open.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) size.Clear();
    primitives.emplace_back(edit::SetOutput{std::move(open)});
  }
  return primitives;
}

// Returns false if shape inference finds a contradiction, or something that it accepts although no engine would: a
// tensor without elements, as of a window larger than its input, or a Reshape to another number of elements.
bool is_plausible(const model::Model& changed) {
  model::Model inferred = changed;
  if (!model::full_check(changed) || !model::infer_shapes(inferred)) return false;
  const std::map<std::string, model::TensorInfo> known = model::known_tensors(inferred);
  const auto bytes = [&](const std::string& tensor) {
    const auto at = known.find(tensor);
    return at == known.end() ? std::nullopt : model::static_bytes(at->second);
  };
  return std::ranges::none_of(changed.graph().node(), [&](const onnx::NodeProto& node) {
    const bool is_empty = std::ranges::any_of(node.output(), [&](const auto& name) { return bytes(name) == 0; });
    if (is_empty || !edit::is_operator(node, "Reshape")) return is_empty;
    // The checker has seen to it that a Reshape has an input and an output.
    const auto before = bytes(node.input(0)), after = bytes(node.output(0));
    return before && after && before != after;
  });
}

}  // namespace

std::vector<edit::ModelChange> shrink_inputs(const PassInput& input) {
  const onnx::GraphProto& graph = input.model.graph();
  Dimensions dimensions(graph, input.known);
  join_dimensions(graph, dimensions);
  std::set<std::string_view> inputs, weights;
  for (const onnx::ValueInfoProto& value : graph.input()) inputs.insert(value.name());
  for (const onnx::TensorProto& weight : graph.initializer()) weights.insert(weight.name());
  const std::vector<edit::Primitive> opened = open_sizes(graph);
  const bool judges = is_plausible(input.model);  // otherwise only the check can judge

  std::vector<edit::ModelChange> changes;
  for (const Dimensions::Class& sizes : dimensions.fixed_classes()) {
    const auto member = std::ranges::find_if(sizes.members, [&](const auto& at) { return inputs.contains(at.first); });
    if (member == sizes.members.end()) continue;
    for (const std::int64_t size : std::set<std::int64_t>{1, 2, 3, sizes.size / 2}) {
      if (size >= sizes.size) continue;
      edit::ModelChange change;
      change.what = fmt::format("size {} of '{}' reduced from {} to {}, and sizes that follow left open",
                                member->second, member->first, sizes.size, size);
      change.primitives = opened;
      for (const auto& [tensor, axis] : sizes.members) {
        if (inputs.contains(tensor) || weights.contains(tensor)) {
          change.primitives.emplace_back(edit::SetSize{tensor, axis, size});
        }
      }
      const edit::Applied applied = edit::apply(input.model, {&change}, input.known);
      if (applied.applied == 1 && (!judges || is_plausible(applied.model))) changes.push_back(std::move(change));
    }
  }
  return changes;
}

}  // namespace assay::reduce
