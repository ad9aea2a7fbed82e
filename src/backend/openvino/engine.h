// The OpenVINO engine of a worker.
#pragma once

#include <memory>

#include "backend/serve/serve.h"

namespace assay::backend {

// Options: see options.h. Failures have OpenVINO's code (ov_status_e) and text, or code 0 if OpenVINO wasn't called.
std::unique_ptr<EngineAdapter> make_openvino_engine();

}  // namespace assay::backend
