#include "surgeon/fold/find_foldable.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/at.h"
#include "edit/visit_graphs.h"
#include "model/function_calls.h"
#include "model/random_operators.h"
#include "model/weights.h"

namespace assay::surgeon {
namespace {

using base::at;

constexpr int kMaxDepth = 64;  // of functions that call functions, and of nested bodies

constexpr std::array<std::string_view, 3> kQuantizing = {"QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear"};

bool contains(std::span<const std::string_view> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Returns true unless a Dropout surely passes its input on: it drops only if its third input is true (since operator
// set 12).
bool may_drop(const onnx::NodeProto& node, const Constants* constants) {
  if (node.op_type() != "Dropout" || node.input_size() < 3 || node.input(2).empty()) return false;
  const onnx::TensorProto* mode = constants == nullptr ? nullptr : constants->find(node.input(2));
  if (mode == nullptr || model::element_type(*mode) != tensor::ElementType::boolean) return true;
  const auto value = model::read_weight({}, *mode);
  return !value || value->size() != 1 || value->load<std::uint8_t>(0) != 0;
}

}  // namespace

FoldableOps::FoldableOps(const onnx::ModelProto& model) : model_(model) {}

bool FoldableOps::allows(const onnx::NodeProto& node, const Constants& constants) const {
  return is_fixed(node, &constants, 0);
}

bool FoldableOps::is_fixed(const onnx::NodeProto& node, const Constants* constants, int depth) const {
  const bool is_kept = contains(kQuantizing, node.op_type()) || model::draws_random_numbers(node);
  if (depth > kMaxDepth || is_kept || may_drop(node, constants)) return false;
  const auto all_fixed = [&](const auto& nodes) {
    return std::ranges::all_of(nodes, [&](const auto& inner) { return is_fixed(inner, nullptr, depth + 1); });
  };
  bool fixed = true;
  edit::visit_bodies(node, [&](const onnx::GraphProto& body) { fixed = fixed && all_fixed(body.node()); });
  const onnx::FunctionProto* called = model::find_function(model_, node);
  return fixed && (called == nullptr || all_fixed(called->node()));
}

std::vector<bool> find_foldable(const model::GraphView& view, const Constants& constants, const FoldableOps& ops) {
  std::vector<bool> foldable(at(view.node_count()), false);
  // A node is checked once all its inputs are known; those on a cycle never are.
  std::vector<int> unknown(foldable.size(), 0);
  std::vector<model::NodeId> ready;
  const auto is_ready = [&](model::NodeId id) {
    const onnx::NodeProto& node = view.node(id);
    return !node.output().empty() && ops.allows(node, constants);
  };
  for (model::NodeId id = 0; id < view.node_count(); ++id) {
    int& count = unknown[at(id)];
    for (const model::TensorId input : view.inputs(id)) {
      if (constants.find(view.name(input)) == nullptr) ++count;
    }
    if (count == 0 && is_ready(id)) ready.push_back(id);
  }
  while (!ready.empty()) {
    const model::NodeId id = ready.back();
    ready.pop_back();
    foldable[at(id)] = true;
    for (const model::TensorId output : view.outputs(id)) {
      if (constants.find(view.name(output)) != nullptr) continue;  // a name defined twice
      for (const model::NodeId consumer : view.consumers(output)) {
        if (--unknown[at(consumer)] == 0 && is_ready(consumer)) ready.push_back(consumer);
      }
    }
  }
  return foldable;
}

}  // namespace assay::surgeon
