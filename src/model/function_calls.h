// Calls of a model's local functions.
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::model {

// Returns the model's function that the node calls, or null if the node is an operator.
const onnx::FunctionProto* find_function(const onnx::ModelProto& model, const onnx::NodeProto& node);

// Gives a call those attributes of the function that it leaves at their defaults. ONNX's inliner forgets the defaults,
// so they must be set before a call is inlined.
void set_default_attributes(const onnx::FunctionProto& function, onnx::NodeProto& call);

}  // namespace assay::model
