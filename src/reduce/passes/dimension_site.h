// What the rules share that tell which sizes of a node's tensors are one dimension.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/dimensions.h"

namespace assay::reduce {

// What a rule sees: one node, whose tensors all have known ranks.
struct DimensionSite {
  const onnx::GraphProto& graph;
  const onnx::NodeProto& node;
  Dimensions& dims;

  [[nodiscard]] bool has_input(int i) const { return i < node.input_size() && !node.input(i).empty(); }
  [[nodiscard]] bool has_output(int i) const { return i < node.output_size() && !node.output(i).empty(); }
  [[nodiscard]] const std::string& in(int i) const { return node.input(i); }
  [[nodiscard]] const std::string& out(int i = 0) const { return node.output(i); }
  [[nodiscard]] const Dimensions::Shape& shape(const std::string& name) const { return *dims.shape(name); }
  [[nodiscard]] std::size_t rank(const std::string& name) const { return shape(name).size(); }
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t standard) const {
    const onnx::AttributeProto* attribute = find_attribute(node, name);
    return attribute == nullptr ? standard : attribute->i();
  }
  void fix_inputs_from(int first) const {
    for (int i = first; i < node.input_size(); ++i) dims.fix(node.input(i));
  }
};

// Joins and fixes the dimensions of a node. False where it cannot tell: then all of its tensors are to be fixed.
using DimensionRule = bool (*)(DimensionSite&);
struct DimensionRow {
  std::string_view op_type;
  DimensionRule rule;
};
std::span<const DimensionRow> layer_dimensions();   // what computes with weights: join_layers.cc
std::span<const DimensionRow> layout_dimensions();  // what moves values: join_layouts.cc

// Small whole numbers that the node takes as an attribute or, later, as a constant input.
std::optional<std::vector<std::int64_t>> integers_of(const DimensionSite& site, std::string_view attribute, int input);

// Dimensions from the right, as broadcasting aligns them; those that are stretched tell nothing. `skip`: so many of the
// last ones are left to the caller.
void join_broadcast(DimensionSite& site, const std::string& in, const std::string& out, std::size_t skip_in = 0,
                    std::size_t skip_out = 0);
// Sizes that stay the same are the same dimension; others are fixed.
void join_same(DimensionSite& site, const std::string& in, const std::string& out);

}  // namespace assay::reduce
