#include "inspect/describe_values.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "model/initializers.h"
#include "model/weights.h"

namespace assay::inspect {
namespace {

std::string element_name(std::int32_t type) {
  return std::string(tensor::name(static_cast<tensor::ElementType>(type)));
}

// Files can nest types (a sequence of sequences ...) as deep as protobuf allows, so the recursion has its own limit.
std::string nested_type_text(const onnx::TypeProto& type, int depth) {
  if (depth > kMaxNesting) return "...";
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType:
      return fmt::format("tensor({})", element_name(type.tensor_type().elem_type()));
    case onnx::TypeProto::kSparseTensorType:
      return fmt::format("sparse_tensor({})", element_name(type.sparse_tensor_type().elem_type()));
    case onnx::TypeProto::kSequenceType:
      return fmt::format("sequence({})", nested_type_text(type.sequence_type().elem_type(), depth + 1));
    case onnx::TypeProto::kOptionalType:
      return fmt::format("optional({})", nested_type_text(type.optional_type().elem_type(), depth + 1));
    case onnx::TypeProto::kMapType:
      return fmt::format("map({}, {})", element_name(type.map_type().key_type()),
                         nested_type_text(type.map_type().value_type(), depth + 1));
    default:
      return "";
  }
}

}  // namespace

std::string type_text(const onnx::TypeProto& type) {
  if (!type.has_tensor_type()) return nested_type_text(type, 0);
  const auto element = static_cast<tensor::ElementType>(type.tensor_type().elem_type());
  return element == tensor::ElementType::undefined ? "" : std::string(tensor::name(element));
}

ValueDescription describe_value(const onnx::ValueInfoProto& value) {
  return {value.name(), type_text(value.type()), model::tensor_info(value).shape, false};
}

ValueDescription describe_value(const onnx::TensorProto& initializer) {
  const tensor::ElementType type = model::element_type(initializer);
  return {initializer.name(), std::string(tensor::name(type)),
          model::static_info(type, model::shape(initializer)).shape, true};
}

ValueDescription describe_value(const onnx::SparseTensorProto& initializer) {
  const model::Initializer weight = model::describe_initializer(initializer);
  return {std::string(weight.name), std::string(tensor::name(weight.type)),
          model::static_info(weight.type, weight.shape).shape, true};
}

WeightDescription describe_weight(const model::Model& model, const onnx::TensorProto& weight, bool values) {
  WeightDescription result;
  result.name = weight.name();
  result.type = model::element_type(weight);
  result.shape = model::shape(weight);
  result.bytes = model::data_bytes(weight);
  if (!values) return result;
  if (auto read = model::read_weight(model, weight)) {
    result.values = *std::move(read);
  } else {
    result.missing = read.error().what;
  }
  return result;
}

WeightDescription describe_weight(const model::Model& model, const onnx::SparseTensorProto& weight, bool values) {
  WeightDescription result = describe_weight(model, weight.values(), values);
  result.nonzero = weight.values().dims_size() > 0 ? static_cast<std::uint64_t>(weight.values().dims(0)) : 0;
  const model::Initializer described = model::describe_initializer(weight);
  result.shape = described.shape;
  result.bytes = described.bytes;
  if (!result.values) return result;
  if (auto indices = model::read_weight(model, weight.indices())) {
    result.indices = *std::move(indices);
  } else {
    result.values.reset();
    result.missing = indices.error().what;
  }
  return result;
}

}  // namespace assay::inspect
