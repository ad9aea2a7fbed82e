// Edits of the nodes of a local function. Its tensors have no declared types, so nothing is checked here but names.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "edit/changes/model_change.h"

namespace assay::edit {

FunctionRef reference_to(const onnx::FunctionProto& function);
// Returns null if the model has no such function.
onnx::FunctionProto* find_function(onnx::ModelProto& model, const FunctionRef& ref);

// Returns whether a node of the function, or a body in it, reads the tensor, or the function returns it.
bool uses(const onnx::FunctionProto& function, const std::string& tensor);

// For BypassFunctionNode, see model_change.h. bypass() needs can_bypass().
bool can_bypass(const onnx::FunctionProto& function, const std::string& output, int input);
void bypass(onnx::FunctionProto& function, const std::string& output, int input);

}  // namespace assay::edit
