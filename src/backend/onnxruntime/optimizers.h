// Learns from ONNX Runtime's log which graph optimizers changed the model. Its API doesn't report them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/onnxruntime/library.h"
#include "backend/serve/serve.h"

namespace assay::backend {

// Must stay at its address, and outlive the session that is created with the options.
class OptimizerLog {
 public:
  // Messages of at least this severity (OrtLoggingLevel) are passed on to standard error.
  explicit OptimizerLog(int severity) : severity_(severity) {}
  OptimizerLog(const OptimizerLog&) = delete;
  OptimizerLog& operator=(const OptimizerLog&) = delete;

  // Receives the log of the session that is created with these options.
  Answer<void> listen(const OnnxRuntimeLibrary& library, OrtSessionOptions* options);

  // Returns the optimizers that changed the graph, each once, in the order of their first change.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  // Takes a message of the log.
  void take(int severity, std::string_view message);

 private:
  int severity_;
  std::vector<std::string> names_;
};

}  // namespace assay::backend
