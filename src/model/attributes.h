// Looks up the attributes of a node.
#pragma once

#include <onnx/onnx_pb.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace assay::model {

// The attributes of If that hold the graphs for a true and for a false condition.
inline constexpr std::string_view kThenBranch = "then_branch";
inline constexpr std::string_view kElseBranch = "else_branch";
inline constexpr std::array kBranches = {kThenBranch, kElseBranch};

// Return the node's attribute of that name, or null if it has none.
const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name);
onnx::AttributeProto* find_attribute(onnx::NodeProto& node, std::string_view name);

// Returns the value of an integer attribute, or `fallback` if the node doesn't have the attribute.
std::int64_t int_attribute(const onnx::NodeProto& node, std::string_view name, std::int64_t fallback);

// Returns whether the attribute holds a graph or a list of graphs.
bool holds_body(const onnx::AttributeProto& attribute);
bool has_body(const onnx::NodeProto& node);

}  // namespace assay::model
