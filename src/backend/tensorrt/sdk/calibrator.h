// Calibrates int8 from a cache that was written before.
#pragma once

#include <NvInfer.h>

#include <memory>
#include <string>

#include "backend/serve/serve.h"
#include "tensorrt/config_plan.h"

namespace assay::backend {

// Returns a calibrator of the class in the plan that reads the cache. Returns a Refused in phase build for a cache that
// can't be read, and for classes other than IInt8EntropyCalibrator2 and IInt8MinMaxCalibrator.
Answer<std::unique_ptr<nvinfer1::IInt8Calibrator>> make_calibrator(const tensorrt::Calibrator& plan);

}  // namespace assay::backend
