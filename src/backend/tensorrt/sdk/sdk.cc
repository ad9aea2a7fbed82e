#include "backend/tensorrt/sdk/sdk.h"

#include <fmt/format.h>

namespace assay::backend {

Answer<void> TensorRtSdk::needs(tensorrt::Version version, const std::string& what) const {
  if (is_since(version)) return {};
  return refuse(
      worker::Phase::build, 0,
      fmt::format("{} needs TensorRT {} or later, and this is {}", what, version.release(), library.version().text()));
}

Answer<int> TensorRtSdk::find_enumerator(std::string_view enumeration, const std::string& name, std::string_view option,
                                         worker::Phase phase) const {
  const auto number = tensorrt::find_enumerator(enumeration, name, option, library.version());
  if (number) return *number;
  return refuse(phase, 0, number.error().message());
}

// An old driver starts: it is TensorRT's copy of CUDA's runtime that needs a newer one (cudaErrorInsufficientDriver).
worker::Refused TensorRtSdk::not_made(const std::string& what) {
  worker::Refused refused = logger.refused(worker::Phase::start, fmt::format("TensorRT made no {}", what));
  std::string& message = refused.failed.message;
  if (message.find("CUDA initialization failure with error: 35") != std::string::npos) {
    message +=
        fmt::format("; NVIDIA's driver supports CUDA {}, which is too old: install a newer driver", driver.version());
  }
  return refused;
}

Answer<void> TensorRtSdk::needs_headers(tensorrt::Version version, const std::string& what) {
  return refuse(worker::Phase::build, 0,
                fmt::format("{} needs a worker that was built with the headers of TensorRT {} or later, and this one "
                            "was built with those of {}.{}",
                            what, version.release(), NV_TENSORRT_MAJOR, NV_TENSORRT_MINOR));
}

}  // namespace assay::backend
