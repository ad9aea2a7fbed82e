// Plans a bug report about a model: which engines run it, on which inputs, and which outputs are expected.
#pragma once

#include <string>
#include <vector>

#include "backend/find_engines.h"
#include "base/error.h"
#include "base/log.h"
#include "compare/compare_options.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "run/run_settings.h"
#include "tensor/tensor.h"

namespace assay::report {

// The runs and comparisons of the programs, as far as the check shows them.
struct ReproPlan {
  std::vector<run::EngineSetup> engines{};
  tensor::NamedTensors inputs{};
  std::string inputs_from{};
  tensor::NamedTensors expected{};  // saved results that the check compares with; empty if there are none
  std::string expected_from{};
  compare::CompareOptions tolerances{};
  bool validate = false;
  bool check_is_known = false;  // as ReproInput::check_is_known
};

// Returns the plan for a check that is `assay run` with these settings: its engines on the inputs of its first
// iteration and, if none of these engines has programs, the first engine of the table, too. New inputs are generated,
// with a warning, if those of the check don't fit the model. Errors: those of generating inputs.
base::Expected<ReproPlan> plan_of_run(run::RunSettings check, const model::Model& model,
                                      const backend::EngineSearch& search, base::Log& log);

// Returns the plan for any other check: the first engine of the table, if it is found, on the values that the user gave
// or, if these don't fit the model, on generated ones. If inputs of the model's types can't be generated, the plan has
// neither inputs nor engines. Warns of both. Errors: those of generating inputs.
base::Expected<ReproPlan> plan_of_unknown_check(const tensor::NamedTensors& given, const model::Model& model,
                                                const backend::EngineSearch& search, base::Log& log);

}  // namespace assay::report
