// Dynamic dimensions of inputs are bound to small numbers. Known sizes are shrunk together with all sizes that have to
// be equal, of inputs, outputs and weights, so that the model stays consistent. A dimension is left alone if it reaches
// a node whose operator join_dimensions.cc doesn't know.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "reduce/passes/dimensions/dimension_passes.h"
#include "reduce/passes/dimensions/dimensions.h"

namespace assay::reduce {
namespace {

constexpr std::int64_t kSizes[] = {1, 2};  // most promising first

// Proposes to bind sizes of inputs that are a symbol or unknown.
void bind_dynamic_dimensions(const onnx::GraphProto& graph, std::vector<edit::ModelChange>& changes) {
  std::map<std::string, std::vector<std::pair<std::string, int>>> open;
  for (const onnx::ValueInfoProto& input : graph.input()) {
    const auto& shape = input.type().tensor_type().shape();
    for (int axis = 0; axis < shape.dim_size(); ++axis) {
      if (shape.dim(axis).has_dim_value()) continue;
      const std::string& symbol = shape.dim(axis).dim_param();
      const std::string key =
          symbol.empty() ? fmt::format("{} of '{}'", axis, input.name()) : fmt::format("'{}'", symbol);
      open[key].emplace_back(input.name(), axis);
    }
  }
  for (const std::int64_t size : kSizes) {
    for (const auto& [key, places] : open) {
      edit::ModelChange change;
      change.what = fmt::format("dynamic dimension {} set to {}", key, size);
      for (const auto& [tensor, axis] : places) change.primitives.emplace_back(edit::SetSize{tensor, axis, size});
      changes.push_back(std::move(change));
    }
  }
}

// Returns the sizes that the model declares as numbers, by tensor and axis. A size that is left open needs no change.
std::set<std::pair<std::string_view, int>> declared_sizes(const onnx::GraphProto& graph) {
  std::set<std::pair<std::string_view, int>> declared;
  for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const onnx::ValueInfoProto& value : *values) {
      const onnx::TensorShapeProto& shape = value.type().tensor_type().shape();
      for (int axis = 0; axis < shape.dim_size(); ++axis) {
        if (shape.dim(axis).has_dim_value()) declared.emplace(value.name(), axis);
      }
    }
  }
  for (const onnx::TensorProto& weight : graph.initializer()) {
    for (int axis = 0; axis < weight.dims_size(); ++axis) declared.emplace(weight.name(), axis);
  }
  return declared;
}

}  // namespace

std::vector<edit::ModelChange> shrink_dimensions(const PassInput& input) {
  const onnx::GraphProto& graph = input.model.graph();
  std::vector<edit::ModelChange> changes;
  bind_dynamic_dimensions(graph, changes);

  Dimensions dimensions(graph, input.known);
  join_dimensions(graph, dimensions);
  std::unordered_set<std::string_view> inputs;
  for (const onnx::ValueInfoProto& value : graph.input()) inputs.insert(value.name());
  const std::set<std::pair<std::string_view, int>> declared = declared_sizes(graph);

  std::vector<Dimensions::Class> classes = dimensions.free_classes();
  const auto of_inputs = [&](const Dimensions::Class& sizes) {
    return std::any_of(sizes.members.begin(), sizes.members.end(),
                       [&](const auto& member) { return inputs.contains(member.first); });
  };
  std::stable_partition(classes.begin(), classes.end(), of_inputs);
  for (const std::int64_t size : kSizes) {
    for (const Dimensions::Class& sizes : classes) {
      if (sizes.size <= size) continue;
      edit::ModelChange change;
      const auto& [first, first_axis] = sizes.members.front();
      change.what = fmt::format("size {} of '{}' reduced from {} to {}", first_axis, first, sizes.size, size);
      for (const auto& [tensor, axis] : sizes.members) {
        if (declared.contains({tensor, axis})) change.primitives.emplace_back(edit::SetSize{tensor, axis, size});
      }
      if (!change.primitives.empty()) changes.push_back(std::move(change));
    }
  }
  return changes;
}

}  // namespace assay::reduce
