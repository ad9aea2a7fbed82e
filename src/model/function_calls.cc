#include "model/function_calls.h"

#include <algorithm>

#include "model/onnx_facts.h"

namespace assay::model {

bool calls(const onnx::NodeProto& node, const onnx::FunctionProto& function) {
  return function.name() == node.op_type() && domain_key(function.domain()) == domain_key(node.domain()) &&
         function.overload() == node.overload();
}

const onnx::FunctionProto* find_function(const onnx::ModelProto& model, const onnx::NodeProto& node) {
  const auto is_called = [&](const onnx::FunctionProto& function) { return calls(node, function); };
  const auto called = std::ranges::find_if(model.functions(), is_called);
  return called == model.functions().end() ? nullptr : &*called;
}

void set_default_attributes(const onnx::FunctionProto& function, onnx::NodeProto& call) {
  for (const onnx::AttributeProto& given : function.attribute_proto()) {
    const bool set = std::ranges::any_of(
        call.attribute(), [&](const onnx::AttributeProto& attribute) { return attribute.name() == given.name(); });
    if (!set) *call.add_attribute() = given;
  }
}

}  // namespace assay::model
