#include "model/operator_schema.h"

#include <vector>

#include "model/function_calls.h"

namespace assay::model {
namespace {

const onnx::OpSchema::FormalParameter* formal(const std::vector<onnx::OpSchema::FormalParameter>& all, int index) {
  if (all.empty() || index < 0) return nullptr;
  const auto at = static_cast<std::size_t>(index);
  if (at < all.size()) return &all[at];
  return all.back().GetOption() == onnx::OpSchema::Variadic ? &all.back() : nullptr;
}

}  // namespace

const onnx::OpSchema* operator_schema(const Model& model, const onnx::NodeProto& node) {
  return find_function(model.proto, node) != nullptr ? nullptr : standard_schema(model.proto, node);
}

const onnx::OpSchema::FormalParameter* formal_input(const onnx::OpSchema& schema, int index) {
  return formal(schema.inputs(), index);
}

const onnx::OpSchema::FormalParameter* formal_output(const onnx::OpSchema& schema, int index) {
  return formal(schema.outputs(), index);
}

std::optional<std::int32_t> only_type(const onnx::OpSchema::FormalParameter& formal) {
  if (formal.GetTypes().size() != 1) return std::nullopt;
  const onnx::TypeProto& type = onnx::Utils::DataTypeUtils::ToTypeProto(*formal.GetTypes().begin());
  if (!type.has_tensor_type()) return std::nullopt;
  return type.tensor_type().elem_type();
}

std::optional<std::int32_t> signature_type(const Model& model, const onnx::NodeProto& node, int output,
                                           const ElementTypeOf& type_of) {
  const onnx::OpSchema* schema = operator_schema(model, node);
  const auto* output_formal = schema != nullptr ? formal_output(*schema, output) : nullptr;
  if (output_formal == nullptr) return std::nullopt;
  if (const auto only = only_type(*output_formal)) return only;
  for (int i = 0; i < node.input_size(); ++i) {
    const auto* input_formal = formal_input(*schema, i);
    if (input_formal == nullptr || input_formal->GetTypeStr() != output_formal->GetTypeStr()) continue;
    if (const auto type = type_of(node.input(i))) return type;
  }
  return std::nullopt;
}

}  // namespace assay::model
