#include "surgeon/float16/attributes.h"

#include <onnx/defs/attr_proto_util.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/attributes.h"
#include "model/weights.h"

namespace assay::surgeon {
namespace {

// Attributes that hold the type of a node's output, in any operator.
constexpr std::array<std::string_view, 5> kTypeAttributes = {"to", "dtype", "output_datatype", "output_dtype", "type"};

base::Status convert_tensor(onnx::TensorProto& tensor, Float16Weights& weights) {
  if (tensor.data_type() != onnx::TensorProto::FLOAT) return {};
  ASSAY_ASSIGN(tensor, weights.convert(tensor));
  return {};
}

// Converts `value_float` and `value_floats`, which always make a float32 output.
base::Status convert_numbers(onnx::AttributeProto& attribute, Float16Weights& weights) {
  const bool scalar = attribute.name() == "value_float";
  std::vector<float> numbers(attribute.floats().begin(), attribute.floats().end());
  if (scalar) numbers = {attribute.f()};
  tensor::Shape shape;
  if (!scalar) shape.push_back(std::ssize(numbers));
  const auto values = tensor::Tensor::of(tensor::ElementType::float32, std::move(shape), numbers);
  ASSAY_ASSIGN(onnx::TensorProto half, weights.convert(model::to_proto("", values)));
  attribute = onnx::MakeAttribute("value", std::move(half));
  return {};
}

void name_float16(onnx::AttributeProto& attribute) {
  if (attribute.has_tp()) to_float16(*attribute.mutable_tp());  // Optional
  if (attribute.i() == onnx::TensorProto::FLOAT) attribute.set_i(onnx::TensorProto::FLOAT16);
  if (attribute.s() == "FLOAT") attribute.set_s("FLOAT16");  // Cast before operator set 6
}

// Makes the output type explicit if it is float32 by the schema's default or by the specification's text.
void name_default(onnx::NodeProto& node, const onnx::OpSchema& schema) {
  for (const std::string_view name : kTypeAttributes) {
    const auto known = schema.attributes().find(std::string(name));
    if (known == schema.attributes().end() || model::find_attribute(node, name) != nullptr) continue;
    const bool by_default = known->second.default_value.i() == onnx::TensorProto::FLOAT;
    if (!by_default && node.op_type() != "SequenceEmpty") continue;
    *node.add_attribute() = onnx::MakeAttribute(std::string(name), onnx::TensorProto::FLOAT16);
  }
  if (node.op_type() == "ConstantOfShape" && model::find_attribute(node, "value") == nullptr) {
    onnx::TensorProto zero;
    zero.set_data_type(onnx::TensorProto::FLOAT16);
    zero.add_dims(1);
    zero.set_raw_data(std::string(2, '\0'));
    *node.add_attribute() = onnx::MakeAttribute("value", std::move(zero));
  }
}

}  // namespace

void to_float16(onnx::TypeProto& type) {
  if (type.has_sequence_type()) return to_float16(*type.mutable_sequence_type()->mutable_elem_type());
  if (type.has_optional_type()) return to_float16(*type.mutable_optional_type()->mutable_elem_type());
  if (type.tensor_type().elem_type() != onnx::TensorProto::FLOAT) return;
  type.mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT16);
}

base::Status convert_attributes(onnx::NodeProto& node, const onnx::OpSchema& schema, Float16Weights& weights) {
  const bool constant = node.op_type() == "Constant" && schema.domain().empty();
  for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
    if (attribute.has_t()) ASSAY_TRY(convert_tensor(*attribute.mutable_t(), weights));
    for (onnx::TensorProto& tensor : *attribute.mutable_tensors()) ASSAY_TRY(convert_tensor(tensor, weights));
    if (attribute.has_sparse_tensor()) {
      ASSAY_TRY(convert_tensor(*attribute.mutable_sparse_tensor()->mutable_values(), weights));
    }
    if (constant && attribute.name().starts_with("value_float")) ASSAY_TRY(convert_numbers(attribute, weights));
    if (std::ranges::find(kTypeAttributes, attribute.name()) != kTypeAttributes.end()) name_float16(attribute);
  }
  name_default(node, schema);
  return {};
}

}  // namespace assay::surgeon
