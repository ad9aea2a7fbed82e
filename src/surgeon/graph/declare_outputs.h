// Declares the outputs of a graph.
#pragma once

#include "base/log.h"
#include "model/model.h"

namespace assay::surgeon {

// Gives outputs without a type, such as tensors that have just become outputs, the type and shape that ONNX's inference
// finds. ONNX's checker refuses outputs without a type. Warns of those that stay so.
void declare_outputs(model::Model& model, base::Log& log);

}  // namespace assay::surgeon
