// `--gen-script` of `run`: writes a Python program that does the same run, instead of running.
#pragma once

#include <CLI/App.hpp>

#include <map>
#include <string>
#include <vector>

#include "cli/context/command.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/model_options.h"
#include "cli/options/script_file.h"
#include "run/engine_runner.h"

namespace assay::cli {

class GenScriptOption {
 public:
  void add_to(CLI::App& app);
  [[nodiscard]] bool given() const { return file_.given(); }
  [[nodiscard]] bool prints() const { return file_.prints(); }

  // The values of the command's other options.
  struct Run {
    const EngineOptions& engine_options;
    const std::vector<run::EngineSetup>& engines;  // that these options name
    const ModelOptions& model;
    const DataLoaderOptions& loader;
    const ComparisonOptions& comparison;
    bool validate = false;
  };
  // Writes the program. Errors: unsupported for options, engines and inputs that the program can't have; those of the
  // options; io.
  base::Status write(const Run& run, Context& context) const;

 private:
  [[nodiscard]] base::Status check_options(const EngineOptions& engines) const;

  CLI::App* app_ = nullptr;  // outlives the command's run
  ScriptFile file_{"--gen-script"};
};

}  // namespace assay::cli
