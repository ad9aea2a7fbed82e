// Tensors after custom operators have no known type, but ONNX requires a type for each graph input. The type
// constraints of the operators that read the tensor narrow it down.
#include "edit/assume_type.h"

#include <onnx/defs/data_type_utils.h>

#include <optional>

#include "model/operator_schema.h"

namespace assay::edit {
namespace {

// Returns the types that a reader accepts; null if ONNX doesn't know the operator, or if only its body reads the
// tensor.
const onnx::DataTypeSet* accepted_types(const model::Model& model, const onnx::NodeProto& node, std::string_view name) {
  const onnx::OpSchema* schema = model::operator_schema(model, node);
  if (schema == nullptr) return nullptr;
  for (int i = 0; i < node.input_size(); ++i) {
    if (node.input(i) != name) continue;
    const onnx::OpSchema::FormalParameter* formal = model::formal_input(*schema, i);
    return formal != nullptr ? &formal->GetTypes() : nullptr;
  }
  return nullptr;
}

std::optional<std::int32_t> first_tensor_type(const onnx::DataTypeSet& types) {
  for (const onnx::DataType type : types) {
    const onnx::TypeProto& proto = onnx::Utils::DataTypeUtils::ToTypeProto(type);
    if (proto.has_tensor_type()) return proto.tensor_type().elem_type();
  }
  return std::nullopt;
}

}  // namespace

std::int32_t assumed_type(const Subject& subject, TensorId tensor) {
  const onnx::DataType float32 = onnx::Utils::DataTypeUtils::ToType("tensor(float)");
  const std::string_view name = subject.view().name(tensor);
  for (const NodeId reader : subject.view().consumers(tensor)) {
    const onnx::DataTypeSet* types = accepted_types(subject.model(), subject.view().node(reader), name);
    if (types == nullptr || types->contains(float32)) continue;
    if (const auto type = first_tensor_type(*types)) return *type;
  }
  return onnx::TensorProto::FLOAT;
}

}  // namespace assay::edit
