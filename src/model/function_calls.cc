#include "model/function_calls.h"

#include <algorithm>

#include "model/onnx_facts.h"

namespace assay::model {

const onnx::FunctionProto* find_function(const onnx::ModelProto& model, const onnx::NodeProto& node) {
  for (const onnx::FunctionProto& function : model.functions()) {
    if (function.name() == node.op_type() && domain_key(function.domain()) == domain_key(node.domain()) &&
        function.overload() == node.overload()) {
      return &function;
    }
  }
  return nullptr;
}

void set_default_attributes(const onnx::FunctionProto& function, onnx::NodeProto& call) {
  for (const onnx::AttributeProto& given : function.attribute_proto()) {
    const bool set = std::ranges::any_of(
        call.attribute(), [&](const onnx::AttributeProto& attribute) { return attribute.name() == given.name(); });
    if (!set) *call.add_attribute() = given;
  }
}

}  // namespace assay::model
