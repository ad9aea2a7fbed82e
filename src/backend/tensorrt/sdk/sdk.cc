#include "backend/tensorrt/sdk/sdk.h"

#include <fmt/format.h>

namespace assay::backend {

bool TensorRtSdk::is_since(int minor) const {
  return library.number() >= 100000 + minor * 100;
}

Answer<void> TensorRtSdk::needs(int minor, const std::string& what) const {
  if (is_since(minor)) return {};
  return refuse(worker::Phase::build, 0,
                fmt::format("{} needs TensorRT 10.{} or later, and this is {}", what, minor, library.version()));
}

Answer<void> TensorRtSdk::needs_headers(int minor, const std::string& what) {
  return refuse(worker::Phase::build, 0,
                fmt::format("{} needs a worker that was built with the headers of TensorRT 10.{} or later, and this "
                            "one was built with those of {}.{}",
                            what, minor, NV_TENSORRT_MAJOR, NV_TENSORRT_MINOR));
}

}  // namespace assay::backend
