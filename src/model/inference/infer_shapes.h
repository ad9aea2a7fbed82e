// Infers the shapes and types of tensors, with ONNX's own inference.
#pragma once

#include <onnx/onnx_pb.h>

#include "base/error.h"
#include "model/model.h"

namespace assay::model {

// Runs onnx::shape_inference over the model, functions included, and writes the results to value_info and the outputs.
// Types and shapes that it can't infer stay unknown. Errors: invalid_input if inference itself fails, which leaves
// `model` unchanged.
base::Status infer_shapes(Model& model);
// Returns the results alone: a graph of outputs and value_info. Copies few nodes and initializers of the model.
base::Expected<onnx::GraphProto> inferred_values(const Model& model);

}  // namespace assay::model
