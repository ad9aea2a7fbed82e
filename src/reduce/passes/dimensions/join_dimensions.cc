// Applies to each node the rule of its operator, which says which sizes of its tensors are the same dimension. Sizes
// with other relations (sums in a Concat, windows of a Conv, numbers inside a shape) are fixed: shrinking them would
// need arithmetic, and a wrong guess costs a check.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "model/graph_view.h"
#include "model/onnx_facts.h"
#include "reduce/passes/dimensions/dimension_site.h"

namespace assay::reduce {
namespace {

constexpr auto kElementwise = std::to_array<std::string_view>({
    "Abs",
    "Acos",
    "Add",
    "And",
    "Asin",
    "Atan",
    "BitShift",
    "Cast",
    "Ceil",
    "Celu",
    "Clip",
    "Cos",
    "Cosh",
    "Div",
    "Dropout",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "Floor",
    "Gelu",
    "Greater",
    "GreaterOrEqual",
    "HardSigmoid",
    "HardSwish",
    "Identity",
    "IsInf",
    "IsNaN",
    "LeakyRelu",
    "Less",
    "LessOrEqual",
    "Log",
    "LogSoftmax",
    "Max",
    "Mean",
    "Min",
    "Mish",
    "Mod",
    "Mul",
    "Neg",
    "Not",
    "Or",
    "PRelu",
    "Pow",
    "Reciprocal",
    "Relu",
    "Round",
    "Selu",
    "Sigmoid",
    "Sign",
    "Sin",
    "Sinh",
    "Softmax",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Sub",
    "Sum",
    "Tan",
    "Tanh",
    "ThresholdedRelu",
    "Where",
    "Xor",
});

bool elementwise(DimensionSite& site) {
  for (const std::string& out : site.node.output()) {
    for (const std::string& in : site.node.input()) {
      if (!in.empty() && !out.empty()) join_broadcast(site, in, out);
    }
  }
  return true;
}

const std::unordered_map<std::string_view, DimensionRow>& rules() {
  static const std::unordered_map<std::string_view, DimensionRow> table = [] {
    std::unordered_map<std::string_view, DimensionRow> rows;
    for (const std::string_view name : kElementwise) rows.emplace(name, DimensionRow{name, 0, elementwise});
    for (const auto& group : {layer_dimensions(), layout_dimensions()}) {
      for (const DimensionRow& row : group) rows.emplace(row.op_type, row);
    }
    return rows;
  }();
  return table;
}

// Returns false for a node that lacks a tensor which the rule reads. Such a node is invalid, but may be the failure.
bool has_tensors(const onnx::NodeProto& node, const DimensionRow& row) {
  if (node.input_size() < row.inputs || node.output_size() == 0 || node.output(0).empty()) return false;
  return std::none_of(node.input().begin(), node.input().begin() + row.inputs,
                      [](const std::string& name) { return name.empty(); });
}

bool ranks_known(const onnx::NodeProto& node, const Dimensions& dimensions) {
  const auto known = [&](const std::string& name) { return name.empty() || dimensions.shape(name) != nullptr; };
  return std::all_of(node.input().begin(), node.input().end(), known) &&
         std::all_of(node.output().begin(), node.output().end(), known);
}

}  // namespace

void join_dimensions(const onnx::GraphProto& graph, Dimensions& dimensions) {
  for (const onnx::NodeProto& node : graph.node()) {
    const auto row = rules().find(node.op_type());
    const bool has_rule = row != rules().end() && model::is_default_domain(node.domain());
    DimensionSite site{graph, node, dimensions};
    if (has_rule && has_tensors(node, row->second) && ranks_known(node, dimensions) && row->second.rule(site)) continue;
    for (const std::string& name : node.input()) dimensions.fix(name);
    for (const std::string& name : node.output()) dimensions.fix(name);
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      for (const std::string& name : model::captured_names(attribute.g())) dimensions.fix(name);
    }
  }
}

}  // namespace assay::reduce
