// Constant nodes hold their value in one of several attributes, depending on the opset and the exporter.
#include <onnx/onnx_pb.h>

#include <optional>

#include "edit/node_places.h"
#include "edit/subject.h"

namespace assay::edit {
namespace {

std::optional<onnx::TensorProto> value_of(const onnx::AttributeProto& attribute) {
  onnx::TensorProto value;
  if (attribute.name() == "value" && attribute.has_t()) return attribute.t();
  if (attribute.name() == "value_float") {
    value.set_data_type(onnx::TensorProto::FLOAT);
    value.add_float_data(attribute.f());
  } else if (attribute.name() == "value_int") {
    value.set_data_type(onnx::TensorProto::INT64);
    value.add_int64_data(attribute.i());
  } else if (attribute.name() == "value_string") {
    value.set_data_type(onnx::TensorProto::STRING);
    value.add_string_data(attribute.s());
  } else if (attribute.name() == "value_floats") {
    value.set_data_type(onnx::TensorProto::FLOAT);
    value.add_dims(attribute.floats_size());
    *value.mutable_float_data() = attribute.floats();
  } else if (attribute.name() == "value_ints") {
    value.set_data_type(onnx::TensorProto::INT64);
    value.add_dims(attribute.ints_size());
    *value.mutable_int64_data() = attribute.ints();
  } else if (attribute.name() == "value_strings") {
    value.set_data_type(onnx::TensorProto::STRING);
    value.add_dims(attribute.strings_size());
    *value.mutable_string_data() = attribute.strings();
  } else {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<onnx::TensorProto> constant_value(const onnx::NodeProto& node) {
  if (!is_operator(node, "Constant") || node.output_size() != 1 || node.output(0).empty()) {
    return std::nullopt;
  }
  if (node.attribute_size() != 1) return std::nullopt;
  std::optional<onnx::TensorProto> value = value_of(node.attribute(0));
  if (value) value->set_name(node.output(0));
  return value;
}

}  // namespace assay::edit
