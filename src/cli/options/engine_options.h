// Which engines run a model, and how they are set up. An engine is a row of the table in engine_options.cc.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/installation.h"
#include "compare/engine_runner.h"

namespace assay::cli {

class EngineOptions {
 public:
  void add_to(CLI::App& app);

  // Engines in the order in which they were given, named as of now ("onnxrt-runner-N0-11/21/26-02:35:21"). Errors:
  // invalid_input for options that make no sense; not_found where an engine's library is not there.
  [[nodiscard]] base::Expected<std::vector<compare::EngineSetup>> setups(const Installation& installation) const;

 private:
  CLI::App* app_ = nullptr;  // outlives the command's run
  std::vector<std::string> providers_;
  std::string graph_optimization_level_;
  std::vector<std::string> libraries_;
  std::vector<int> threads_;
  std::vector<std::string> session_config_;
  double timeout_s_ = 0;
  std::string memory_;
};

}  // namespace assay::cli
