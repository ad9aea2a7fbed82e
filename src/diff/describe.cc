#include "diff/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/counted.h"
#include "base/strings.h"
#include "inspect/describe_values.h"
#include "model/count_operators.h"
#include "model/shapes.h"
#include "model/weights.h"
#include "tensor/number_text.h"

namespace assay::diff {
namespace {

constexpr int kLongest = 12;              // elements of a list
constexpr std::size_t kLongestText = 60;  // bytes

template <class List, class Format>
std::string list_text(const List& list, const Format& format) {
  std::vector<std::string> parts;
  for (int i = 0; i < std::min(list.size(), kLongest); ++i) parts.push_back(format(list.Get(i)));
  if (list.size() > kLongest) parts.push_back(fmt::format("... ({} values)", list.size()));
  return "[" + base::join(parts, ", ") + "]";
}

std::string body_text(const onnx::GraphProto& body) {
  return "a body of " + base::counted(body.node_size(), "node");
}

// Returns the first bytes of a text, not cut within a character of UTF-8.
std::string_view shortened(std::string_view text) {
  if (text.size() <= kLongestText) return text;
  std::size_t end = kLongestText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

Item node_item(const onnx::NodeProto& node, int index) {
  const std::string& output = node.output_size() > 0 ? node.output(0) : node.name();
  return {model::operator_name(node), node.name().empty() ? output : node.name(), index};
}

std::string type_and_shape(const onnx::TypeProto& type, bool symbols) {
  std::string text = inspect::type_text(type);
  if (text.empty()) text = "unknown";
  onnx::ValueInfoProto value;
  *value.mutable_type() = type;
  const model::TensorInfo info = model::tensor_info(value);
  if (!info.shape) return text;
  std::vector<std::string> sizes;
  for (const model::Dimension& dimension : *info.shape) {
    const bool symbolic = symbols && !dimension.symbol.empty();
    sizes.push_back(dimension.value >= 0 ? fmt::format("{}", dimension.value) : symbolic ? dimension.symbol : "?");
  }
  return fmt::format("{} ({})", text, base::join(sizes, ", "));
}

std::string type_and_shape(const onnx::TensorProto& tensor) {
  std::vector<std::string> sizes;
  for (const std::int64_t dim : tensor.dims()) sizes.push_back(fmt::format("{}", dim));
  return fmt::format("{} ({})", tensor::name(model::element_type(tensor)), base::join(sizes, ", "));
}

std::string type_and_shape(const onnx::SparseTensorProto& tensor) {
  return fmt::format("sparse {} ({})", tensor::name(model::element_type(tensor.values())),
                     fmt::join(tensor.dims(), ", "));
}

std::string attribute_text(const onnx::AttributeProto& attribute) {
  if (!attribute.ref_attr_name().empty()) {
    return fmt::format("attribute '{}' of the function", attribute.ref_attr_name());
  }
  const auto number = [](float value) { return tensor::format_scalar(value); };
  switch (attribute.type()) {
    case onnx::AttributeProto::INT:
      return fmt::format("{}", attribute.i());
    case onnx::AttributeProto::FLOAT:
      return number(attribute.f());
    case onnx::AttributeProto::STRING:
      return quoted(attribute.s());
    case onnx::AttributeProto::INTS:
      return list_text(attribute.ints(), [](std::int64_t value) { return fmt::format("{}", value); });
    case onnx::AttributeProto::FLOATS:
      return list_text(attribute.floats(), number);
    case onnx::AttributeProto::STRINGS:
      return list_text(attribute.strings(), quoted);
    case onnx::AttributeProto::TENSOR:
      return type_and_shape(attribute.t());
    case onnx::AttributeProto::TENSORS:
      return base::counted(attribute.tensors_size(), "tensor");
    case onnx::AttributeProto::GRAPH:
      return body_text(attribute.g());
    case onnx::AttributeProto::GRAPHS:
      return list_text(attribute.graphs(), body_text);
    case onnx::AttributeProto::TYPE_PROTO:
      return type_and_shape(attribute.tp(), true);
    default:
      return fmt::format("a value of type {}", onnx::AttributeProto::AttributeType_Name(attribute.type()));
  }
}

std::string configurations_text(const google::protobuf::RepeatedPtrField<onnx::DeviceConfigurationProto>& all) {
  return list_text(all, [](const onnx::DeviceConfigurationProto& one) { return quoted(one.name()); });
}

std::string configurations_text(const google::protobuf::RepeatedPtrField<onnx::NodeDeviceConfigurationProto>& all) {
  return list_text(all, [](const onnx::NodeDeviceConfigurationProto& one) { return quoted(one.configuration_id()); });
}

std::string quoted(const std::string& text) {
  const std::string line = base::replace_all(text, "\n", "\\n");
  const std::string_view kept = shortened(line);
  return fmt::format("'{}'{}", kept, kept.size() < line.size() ? fmt::format("... ({} bytes)", text.size()) : "");
}

}  // namespace assay::diff
