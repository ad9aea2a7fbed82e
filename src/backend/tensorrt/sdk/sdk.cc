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

Answer<void> TensorRtSdk::needs_headers(tensorrt::Version version, const std::string& what) {
  return refuse(worker::Phase::build, 0,
                fmt::format("{} needs a worker that was built with the headers of TensorRT {} or later, and this one "
                            "was built with those of {}.{}",
                            what, version.release(), NV_TENSORRT_MAJOR, NV_TENSORRT_MINOR));
}

}  // namespace assay::backend
