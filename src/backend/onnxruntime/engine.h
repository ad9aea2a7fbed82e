// The ONNX Runtime engine of a worker.
#pragma once

#include <memory>

#include "backend/serve/serve.h"

namespace assay::backend {

// Options: see options.h. Failures have ONNX Runtime's code (OrtErrorCode), or 0 if ONNX Runtime wasn't called.
std::unique_ptr<EngineAdapter> make_onnxruntime_engine();

}  // namespace assay::backend
