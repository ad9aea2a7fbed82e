// Finds out which local functions a model calls.
#pragma once

#include <onnx/onnx_pb.h>

#include <vector>

namespace assay::edit {

// Return the local functions that a node of the graph, of its bodies or of another such function calls, and the others.
// The pointers lead into the model.
std::vector<const onnx::FunctionProto*> called_functions(const onnx::ModelProto& model);
std::vector<const onnx::FunctionProto*> uncalled_functions(const onnx::ModelProto& model);

}  // namespace assay::edit
