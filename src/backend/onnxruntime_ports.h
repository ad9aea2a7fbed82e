// What a session takes and gives.
#pragma once

#include <vector>

#include "backend/onnxruntime_library.h"

namespace assay::backend {

// ONNX Runtime's numbers of element types, which leave those of ONNX after FLOAT4E2M1; `undefined` for one unknown to
// us.
tensor::ElementType from_onnxruntime(ONNXTensorElementDataType type);
ONNXTensorElementDataType to_onnxruntime(tensor::ElementType type);

Answer<std::vector<worker::Port>> session_inputs(const OnnxRuntimeLibrary& library, const OrtSession& session);
// Inputs with a default: they may be fed and need not be.
Answer<std::vector<worker::Port>> session_overridable(const OnnxRuntimeLibrary& library, const OrtSession& session);
Answer<std::vector<worker::Port>> session_outputs(const OnnxRuntimeLibrary& library, const OrtSession& session);

}  // namespace assay::backend
