// The TensorRT engine of a worker.
#pragma once

#include <memory>

#include "backend/serve/serve.h"

namespace assay::backend {

// Options: see ../options.h. Failures have what TensorRT logged as errors, since its functions return no codes; those
// of the driver have its code (CUresult).
std::unique_ptr<EngineAdapter> make_tensorrt_engine();

}  // namespace assay::backend
