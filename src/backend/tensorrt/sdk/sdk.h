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

  // Returns whether the library is 10.`minor` or later. Calling a function that an object doesn't have would crash.
  [[nodiscard]] bool is_since(int minor) const;
  // Returns a Refused if the library is older than 10.`minor`, in which `what` was added.
  [[nodiscard]] Answer<void> needs(int minor, const std::string& what) const;
  // Returns a Refused: the worker was built with headers older than 10.`minor`, which don't have `what`.
  [[nodiscard]] static Answer<void> needs_headers(int minor, const std::string& what);
};

}  // namespace assay::backend
