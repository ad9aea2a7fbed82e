// Looks up the attributes of a node.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string_view>

namespace assay::model {

// Return the node's attribute of that name, or null if it has none.
const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name);
onnx::AttributeProto* find_attribute(onnx::NodeProto& node, std::string_view name);

// Returns the value of an integer attribute, or `fallback` if the node doesn't have the attribute.
std::int64_t int_attribute(const onnx::NodeProto& node, std::string_view name, std::int64_t fallback);

// Returns whether the attribute holds a graph or a list of graphs.
bool holds_body(const onnx::AttributeProto& attribute);
bool has_body(const onnx::NodeProto& node);

}  // namespace assay::model
