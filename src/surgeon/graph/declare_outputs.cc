#include "surgeon/graph/declare_outputs.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "model/inference/infer_shapes.h"

namespace assay::surgeon {
namespace {

bool has_type(const onnx::ValueInfoProto& value) {
  const onnx::TypeProto& type = value.type();
  if (type.has_tensor_type()) return type.tensor_type().elem_type() != onnx::TensorProto::UNDEFINED;
  return type.value_case() != onnx::TypeProto::VALUE_NOT_SET;
}

}  // namespace

void declare_outputs(model::Model& model, base::Log& log) {
  auto& outputs = *model.graph().mutable_output();
  if (std::ranges::all_of(outputs, has_type)) return;
  const auto inferred = model::inferred_values(model);
  std::unordered_map<std::string_view, const onnx::TypeProto*> types;
  if (inferred) {
    for (const auto* values : {&inferred->output(), &inferred->value_info()}) {
      for (const onnx::ValueInfoProto& value : *values) {
        if (has_type(value)) types.emplace(value.name(), &value.type());
      }
    }
  }
  for (onnx::ValueInfoProto& output : outputs) {
    if (has_type(output)) continue;
    if (const auto type = types.find(output.name()); type != types.end()) {
      *output.mutable_type() = *type->second;
    } else {
      log.warning("The type of output '{}' is unknown, so some engines may refuse the model", output.name());
    }
  }
}

}  // namespace assay::surgeon
