// Shared by the rules that find out which sizes of a node's tensors are the same dimension.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/dimensions/dimensions.h"

namespace assay::reduce {

// The input of a rule: one node. The ranks of all its tensors are known. Only its first output and as many inputs as
// the rule's row says are known to exist.
struct DimensionSite {
  const onnx::GraphProto& graph;
  const onnx::NodeProto& node;
  Dimensions& dims;

  [[nodiscard]] bool has_input(int i) const { return i < node.input_size() && !node.input(i).empty(); }
  [[nodiscard]] const std::string& in(int i) const { return node.input(i); }
  [[nodiscard]] const std::string& out(int i = 0) const { return node.output(i); }
  [[nodiscard]] const Dimensions::Shape& shape(const std::string& name) const { return *dims.shape(name); }
  [[nodiscard]] std::size_t rank(const std::string& name) const { return shape(name).size(); }
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t standard) const {
    return model::int_attribute(node, name, standard);
  }
  void fix_inputs_from(int first) const {
    for (int i = first; i < node.input_size(); ++i) dims.fix(node.input(i));
  }
};

// Joins and fixes the dimensions of a node. Returns false if it can't decide; the caller then has to fix all of the
// node's tensors.
using DimensionRule = bool (*)(DimensionSite&);
struct DimensionRow {
  std::string_view op_type;
  int inputs;  // the rule reads that many of the node's first inputs without asking for them
  DimensionRule rule;
};
std::span<const DimensionRow> layer_dimensions();   // operators that compute with weights: join_layers.cc
std::span<const DimensionRow> layout_dimensions();  // operators that move values: join_layouts.cc

// Returns integers that the node takes as an attribute or, in later operator sets, as a constant input.
std::optional<std::vector<std::int64_t>> integers_of(const DimensionSite& site, std::string_view attribute, int input);

// Joins dimensions aligned from the right, as in broadcasting; stretched ones are left alone. The last `skip_in` and
// `skip_out` dimensions are left to the caller.
void join_broadcast(DimensionSite& site, const std::string& in, const std::string& out, std::size_t skip_in = 0,
                    std::size_t skip_out = 0);
// Joins the dimensions at equal positions whose sizes are the same, and fixes the others.
void join_same(DimensionSite& site, const std::string& in, const std::string& out);

}  // namespace assay::reduce
