// Which engines run a model, and how they are set up. An engine is a row of the table in engine_table.cc.
#pragma once

#include <CLI/App.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/installation.h"
#include "cli/options/engine_table.h"
#include "run/engine_runner.h"

namespace assay::cli {

class EngineOptions {
 public:
  void add_to(CLI::App& app);

  // Engines in the order in which they were given. A runner is named as of now, "onnxrt-runner-N0-11/21/26-02:35:21";
  // the name that the user gave it stands in the place of "onnxrt", or, where runners of one engine have no name and
  // differ in their settings, what differs is added: "onnxrt[threads=1]-runner-N0-...". Errors: invalid_input for
  // options that make no sense; not_found where an engine's library is not there.
  [[nodiscard]] base::Expected<std::vector<run::EngineSetup>> setups(const Installation& installation) const;

 private:
  struct Runner;  // an engine as the command line asks for it

  [[nodiscard]] base::Expected<std::vector<Runner>> runners() const;
  base::Status apply_options(std::vector<Runner>& runners) const;

  CLI::App* app_ = nullptr;                                      // outlives the command's run
  std::map<std::string_view, std::vector<std::string>> values_;  // of settings, by their flags
  double timeout_s_ = 0;
  std::string memory_;
};

}  // namespace assay::cli
