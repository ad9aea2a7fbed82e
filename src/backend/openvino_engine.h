// OpenVINO as an engine of a worker.
#pragma once

#include <memory>

#include "backend/serve.h"

namespace assay::backend {

// Options: openvino_options.h. Failures have OpenVINO's own code (ov_status_e) and text; 0 where the failure is found
// before it is asked.
std::unique_ptr<Engine> make_openvino_engine();

}  // namespace assay::backend
