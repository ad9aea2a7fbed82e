// Options that select the engines that run a model, and their settings. Each engine is a row of the table in
// backend/engine_table.cc.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/engine_table.h"
#include "base/error.h"
#include "cli/context/installation.h"
#include "cli/options/tensorrt_options.h"
#include "run/engine_runner.h"

namespace assay::cli {

// Returns an engine of the table without settings or limits. Its runner has the row's name, without a number or time.
run::EngineSetup engine_setup(const backend::EngineRow& row, std::filesystem::path library);

class EngineOptions {
 public:
  explicit EngineOptions(std::span<const backend::EngineRow> rows = backend::engine_rows()) : rows_(rows) {}
  // Settings of one engine, which needs no flag: setups() returns exactly one.
  explicit EngineOptions(const backend::EngineRow& row) : rows_(&row, 1), implied_(true) {}
  void add_to(CLI::App& app);
  // Adds options for TensorRT's settings, which apply to all its runners. A command without them refuses them
  // (refused_options.h), and takes settings in the flag of a runner only.
  void add_tensorrt_to(CLI::App& app, const std::vector<std::span<const tensorrt::Setting>>& groups);

  // Sets the engine of commands in which no flag names one.
  void use_by_default(const backend::EngineRow& row) { default_row_ = &row; }

  // Returns the engines in the order of the command line. Runners get Polygraphy's names with the current time,
  // "onnxrt-runner-N0-11/21/26-02:35:21". A name that the user gave replaces "onnxrt". If unnamed runners of one engine
  // differ in settings, the differences are added: "onnxrt[threads=1]-runner-N0-...". Errors: invalid_input for invalid
  // options; not_found if an engine's library or interpreter is missing.
  [[nodiscard]] base::Expected<std::vector<run::EngineSetup>> setups(const Installation& installation) const;
  // Returns the flag of the first runner that names a library or an interpreter of its own, as in
  // --onnxrt=:lib=FILE; empty if none does. Errors: those of setups() for invalid flags.
  [[nodiscard]] base::Expected<std::string> flag_with_library() const;
  // Checks that no setting was given, for a command in which no engine runs. Errors: invalid_input, naming the setting.
  [[nodiscard]] base::Status check_unused() const;

 private:
  struct Runner;  // an engine as given on the command line

  [[nodiscard]] base::Expected<std::vector<Runner>> runners() const;
  base::Status apply_options(std::vector<Runner>& runners) const;
  // Returns whether the setting isn't only one of engines: scripts use --python-interpreter, too.
  [[nodiscard]] bool is_for_scripts(std::string_view flags) const;

  std::span<const backend::EngineRow> rows_;
  const backend::EngineRow* default_row_ = nullptr;              // null: no flag, no engine
  bool implied_ = false;                                         // there are no flags, and one runner of the first row
  CLI::App* app_ = nullptr;                                      // outlives the command's run
  std::map<std::string_view, std::vector<std::string>> values_;  // values of settings, by option
  TensorRtOptions tensorrt_;
  double timeout_s_ = 0;
  std::string memory_;
};

}  // namespace assay::cli
