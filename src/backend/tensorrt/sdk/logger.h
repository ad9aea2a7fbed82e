// Receives what TensorRT logs. TensorRT's functions only return null or false; the reason is in the log.
#pragma once

#include <NvInferRuntime.h>

#include <mutex>
#include <string>
#include <vector>

#include "backend/serve/serve.h"

namespace assay::backend {

// Thread-safe: TensorRT's builder logs from several threads.
class TensorRtLogger final : public nvinfer1::ILogger {
 public:
  // Errors are kept; they and warnings go to standard error, which Assay shows if the worker crashes.
  void log(Severity severity, const char* message) noexcept override;

  // Forgets the errors so far, before a call whose own are wanted.
  void clear();
  // Returns a Refused with the errors since clear(), or with `otherwise` if there are none.
  worker::Refused refused(worker::Phase phase, const std::string& otherwise);

 private:
  std::mutex mutex_;
  std::vector<std::string> errors_;
};

}  // namespace assay::backend
