// A node can be bypassed if exactly one of its outputs is used and has the same type and shape as one of its inputs:
// because both are known and equal (sizes with the same symbol count as equal), because the operator guarantees it, or
// because they were equal in the recorded run. If several inputs fit, the first one that isn't constant is used.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "edit/changes/known_value_infos.h"
#include "edit/keeps_type.h"
#include "edit/node_places.h"
#include "model/graph_view.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/bypass.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

class Bypasser {
 public:
  explicit Bypasser(const PassInput& input) : input_(input), view_(input.model.graph()) {}

  // Returns the input that can replace the node's output.
  std::optional<std::string> stand_in(const onnx::NodeProto& node, const std::string& output) const {
    if (edit::keeps_type(node) && node.input_size() > 0 && output == node.output(0) && usable(node.input(0), output)) {
      return node.input(0);
    }
    for (const bool constants : {false, true}) {
      for (const std::string& name : node.input()) {
        if (is_constant(name) == constants && usable(name, output) && same_type(name, output)) return name;
      }
    }
    return std::nullopt;
  }

  // Returns the output that is used, if there is exactly one.
  std::optional<std::string> only_output(const onnx::NodeProto& node) const {
    std::optional<std::string> used;
    for (const std::string& name : node.output()) {
      const model::TensorId id = name.empty() ? model::kNone : view_.find(name);
      if (view_.consumers(id).empty() && !view_.is_graph_output(id)) continue;
      if (used && *used != name) return std::nullopt;
      used = name;
    }
    return used;
  }

  // Integers are mostly sizes, axes and indices, so their nodes are tried last.
  bool is_integer(const std::string& name) const {
    const onnx::ValueInfoProto* known = edit::find_known(input_.known, name);
    const auto type = known == nullptr ? 0 : known->type().tensor_type().elem_type();
    return type == onnx::TensorProto::INT64 || type == onnx::TensorProto::INT32;
  }

 private:
  static bool usable(const std::string& name, const std::string& output) { return !name.empty() && name != output; }
  bool is_constant(const std::string& name) const { return view_.is_initializer(view_.find(name)); }
  bool same_type(const std::string& a, const std::string& b) const {
    const tensor::Tensor* recorded_a = input_.values.find(a);
    const tensor::Tensor* recorded_b = input_.values.find(b);
    if (recorded_a != nullptr && recorded_b != nullptr) {
      return recorded_a->type() == recorded_b->type() && recorded_a->shape() == recorded_b->shape();
    }
    return reduce::same_type(a, b, input_.known);
  }

  const PassInput& input_;
  model::GraphView view_;
};

}  // namespace

std::vector<edit::ModelChange> bypass_outer_nodes(const PassInput& input, WantedNode wanted) {
  const Bypasser bypasser(input);
  std::vector<edit::ModelChange> changes;
  std::vector<edit::ModelChange> of_integers;
  for (const edit::NodePlace& place : edit::outer_node_places(input.model.graph())) {
    if (!wanted(*place.node)) continue;
    const auto output = bypasser.only_output(*place.node);
    const auto stand_in = output ? bypasser.stand_in(*place.node, *output) : std::nullopt;
    if (!stand_in) continue;
    auto& group = bypasser.is_integer(*output) ? of_integers : changes;
    group.push_back({model::describe_node(*place.node) + " bypassed: '" + *stand_in + "' in place of '" + *output + "'",
                     {edit::RenameUses{{}, *output, *stand_in}, edit::RemoveNode{place.ref}}});
  }
  std::ranges::move(of_integers, std::back_inserter(changes));
  return changes;
}

std::vector<edit::ModelChange> bypass_nodes(const PassInput& input) {
  return bypass_outer_nodes(input, [](const onnx::NodeProto&) { return true; });
}

}  // namespace assay::reduce
