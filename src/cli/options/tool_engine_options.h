// Options for the engine that a command needs itself, to compute constants or to find shapes: ONNX Runtime in worker
// processes.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/context/installation.h"
#include "worker/engine.h"
#include "worker/limits.h"

namespace assay::cli {

class ToolEngineOptions {
 public:
  void add_to(CLI::App& app);

  // Returns whether the user chose a library, instead of leaving that to the search.
  [[nodiscard]] bool names_library() const { return !library_.empty(); }
  // Errors: not_found if no ONNX Runtime library is found.
  [[nodiscard]] base::Expected<worker::EngineSpec> spec(const Installation& installation) const;
  // Returns the limits for each load and each run.
  [[nodiscard]] worker::Limits limits() const;

 private:
  std::string library_;
  std::vector<std::string> custom_ops_;
  double timeout_s_ = 600;
  std::string memory_;
};

}  // namespace assay::cli
