// The timing cache of a build: the times of kernels that TensorRT has measured before, and those that it adds.
#pragma once

#include <NvInfer.h>

#include <memory>
#include <string>

#include "backend/tensorrt/sdk/sdk.h"

namespace assay::backend {

// Sets a timing cache with the contents of these two files, either of which may be empty or the name of the other.
// `load` must exist; `saved`, the file that save_timing_cache() will write, need not. Returns null if both are empty.
// The result must outlive the builder. Returns a Refused in phase build for a file that can't be read or used.
Answer<std::unique_ptr<nvinfer1::ITimingCache>> set_timing_cache(const std::string& load, const std::string& saved,
                                                                 nvinfer1::IBuilderConfig& config,
                                                                 TensorRtLogger& logger);

// Saves the configuration's cache. Keeps the entries that another process has saved in this file since the build began;
// if they belong to another GPU or version, only logs a warning and leaves the file as it is. Returns a Refused in
// phase build if the file can't be written.
Answer<void> save_timing_cache(const std::string& file, nvinfer1::IBuilderConfig& config, TensorRtLogger& logger);

}  // namespace assay::backend
