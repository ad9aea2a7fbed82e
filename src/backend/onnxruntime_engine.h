// ONNX Runtime as an engine of a worker.
#pragma once

#include <memory>

#include "backend/serve.h"

namespace assay::backend {

// Options: onnxruntime_options.h. Failures have ONNX Runtime's own code (OrtErrorCode); 0 where the failure is found
// before it is asked.
std::unique_ptr<Engine> make_onnxruntime_engine();

}  // namespace assay::backend
