// The engine that a command uses for itself: to work out constants, to find shapes. ONNX Runtime, in worker processes.
#pragma once

#include <CLI/App.hpp>

#include <string>

#include "base/error.h"
#include "cli/installation.h"
#include "worker/engine.h"
#include "worker/limits.h"

namespace assay::cli {

class ToolEngineOptions {
 public:
  void add_to(CLI::App& app);

  // Errors: not_found where there is no library.
  [[nodiscard]] base::Expected<worker::EngineSpec> spec(const Installation& installation) const;
  // Of each load and each run. Errors: invalid_input for a memory limit that is no size.
  [[nodiscard]] base::Expected<worker::Limits> limits() const;

 private:
  std::string library_;
  double timeout_s_ = 600;
  std::string memory_;
};

}  // namespace assay::cli
