// Calls of a model's local functions.
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::model {

// Returns whether the node calls the function.
bool calls(const onnx::NodeProto& node, const onnx::FunctionProto& function);

// Returns the model's function that the node calls, or null if the node is an operator.
const onnx::FunctionProto* find_function(const onnx::ModelProto& model, const onnx::NodeProto& node);

// Adds the attributes that a call leaves out, with the values that the function has for them by default. ONNX's inliner
// forgets these values, so this must be done before a call is inlined.
void set_default_attributes(const onnx::FunctionProto& function, onnx::NodeProto& call);

}  // namespace assay::model
