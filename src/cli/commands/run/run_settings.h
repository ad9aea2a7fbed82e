// The settings of a command line of `assay run`, for code that does the same work without the command.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "compare/compare_options.h"
#include "data/input_source.h"
#include "data/run_results.h"
#include "run/engine_runner.h"

namespace assay::cli {

struct RunSettings {
  std::vector<run::EngineSetup> engines;
  std::unique_ptr<data::InputSource> inputs;
  std::vector<data::RunnerResults> saved;  // results to compare with
  compare::CompareOptions tolerances;
  bool validate = false;
  bool as_it_is = true;    // the model runs unchanged: no outputs marked, no shapes inferred
  bool by_element = true;  // outputs are compared unchanged: their shapes, and each element within tolerances
};

// Returns nothing if the command isn't `assay run`, or if its options are invalid. The context must outlive the result.
std::optional<RunSettings> settings_of_run(const std::vector<std::string>& command, Context& context);

}  // namespace assay::cli
