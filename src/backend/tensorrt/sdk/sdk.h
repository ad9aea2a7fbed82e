// Shared by all parts of the worker: the opened libraries, and the logger, which knows why a call failed.
#pragma once

#include <set>
#include <string>

#include "backend/tensorrt/cuda_driver.h"
#include "backend/tensorrt/library.h"
#include "backend/tensorrt/sdk/logger.h"

namespace assay::backend {

struct TensorRtSdk {
  TensorRtLibrary library;
  CudaDriver driver;
  TensorRtLogger logger;            // outlives every object of TensorRT
  std::set<std::string> plugins{};  // libraries that were loaded

  // Returns whether the library has what this version added. Calling a function that an object doesn't have would
  // crash.
  [[nodiscard]] bool is_since(tensorrt::Version version) const { return library.version() >= version; }
  // Returns a Refused if the library is older than the version that added `what`.
  [[nodiscard]] Answer<void> needs(tensorrt::Version version, const std::string& what) const;
  // Returns a Refused: the worker was built with headers older than the version that added `what`.
  [[nodiscard]] static Answer<void> needs_headers(tensorrt::Version version, const std::string& what);
};

}  // namespace assay::backend
