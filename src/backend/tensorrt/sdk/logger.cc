#include "backend/tensorrt/sdk/logger.h"

#include <algorithm>
#include <cstdio>

#include "backend/serve/check_memory.h"
#include "base/strings.h"

namespace assay::backend {

void TensorRtLogger::log(Severity severity, const char* message) noexcept {
  if (severity > Severity::kWARNING) return;
  std::fprintf(stderr, "TensorRT: %s\n", message);
  if (severity > Severity::kERROR) return;
  constexpr std::size_t kMost = 20;
  const std::scoped_lock lock(mutex_);
  // The same error is often logged once by each function that it passes.
  const bool known = std::ranges::find(errors_, message) != errors_.end();
  if (!known && errors_.size() < kMost) errors_.emplace_back(message);
}

void TensorRtLogger::clear() {
  const std::scoped_lock lock(mutex_);
  errors_.clear();
}

worker::Refused TensorRtLogger::refused(worker::Phase phase, const std::string& otherwise) {
  const std::scoped_lock lock(mutex_);
  const std::string message = errors_.empty() ? otherwise : base::join(errors_, "; ");
  const bool out_of_memory = is_out_of_memory(message);
  return {{phase, 0, message}, out_of_memory};
}

}  // namespace assay::backend
