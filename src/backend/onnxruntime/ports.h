// Reads the inputs and outputs of a session.
#pragma once

#include <vector>

#include "backend/onnxruntime/library.h"

namespace assay::backend {

// Convert element types to and from ONNX Runtime's numbers, which differ from ONNX's after FLOAT4E2M1. Unknown numbers
// become `undefined`.
tensor::ElementType from_onnxruntime(ONNXTensorElementDataType type);
ONNXTensorElementDataType to_onnxruntime(tensor::ElementType type);

Answer<std::vector<worker::Port>> session_inputs(const OnnxRuntimeLibrary& library, const OrtSession& session);
// Returns the inputs with a default value, which needn't be fed.
Answer<std::vector<worker::Port>> session_overridable(const OnnxRuntimeLibrary& library, const OrtSession& session);
Answer<std::vector<worker::Port>> session_outputs(const OnnxRuntimeLibrary& library, const OrtSession& session);

}  // namespace assay::backend
