#include "model/attributes.h"

#include <algorithm>

namespace assay::model {

const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name) {
  const auto at = std::ranges::find(node.attribute(), name, &onnx::AttributeProto::name);
  return at == node.attribute().end() ? nullptr : &*at;
}

onnx::AttributeProto* find_attribute(onnx::NodeProto& node, std::string_view name) {
  const auto at = std::ranges::find(*node.mutable_attribute(), name, &onnx::AttributeProto::name);
  return at == node.mutable_attribute()->end() ? nullptr : &*at;
}

std::int64_t int_attribute(const onnx::NodeProto& node, std::string_view name, std::int64_t fallback) {
  const onnx::AttributeProto* attribute = find_attribute(node, name);
  return attribute == nullptr ? fallback : attribute->i();
}

bool holds_body(const onnx::AttributeProto& attribute) {
  return attribute.has_g() || attribute.graphs_size() > 0;
}

bool has_body(const onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), holds_body);
}

}  // namespace assay::model
