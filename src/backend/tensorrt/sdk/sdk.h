// Shared by all parts of the worker: the opened libraries, and the logger, which knows why a call failed.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "backend/tensorrt/cuda_driver.h"
#include "backend/tensorrt/library.h"
#include "backend/tensorrt/sdk/logger.h"
#include "tensorrt/enumerations.h"

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
  // Returns the number of an enumerator in the library's version: tensorrt::find_enumerator(). Returns a Refused in
  // this phase if the library doesn't have it.
  [[nodiscard]] Answer<int> find_enumerator(std::string_view enumeration, const std::string& name,
                                            std::string_view option, worker::Phase phase) const;
  // Returns a Refused in phase start for an object that TensorRT didn't create: "builder". Says if the driver is too
  // old for this TensorRT.
  [[nodiscard]] worker::Refused not_made(const std::string& what);
  // Returns a Refused: the worker was built with headers older than the version that added `what`.
  [[nodiscard]] static Answer<void> needs_headers(tensorrt::Version version, const std::string& what);
};

}  // namespace assay::backend
