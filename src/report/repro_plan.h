// Plans a bug report about a model: which engines run it, on which inputs, and which outputs are expected.
#pragma once

#include <string>
#include <vector>

#include "backend/find_engines.h"
#include "base/error.h"
#include "compare/compare_options.h"
#include "model/model.h"
#include "report/repro.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

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

// Returns the version and the library of an engine, which a worker opens: "1.27.0 (libonnxruntime.so.1.27.0)".
std::string version_text(const run::EngineSetup& setup, worker::Pool& pool);

// Returns true if programs exist for one of the plan's engines; the others only provide expected outputs.
bool has_program_engine(const ReproPlan& plan);
// Adds the first engine of the table without settings, if it is found.
void add_reference_engine(ReproPlan& plan, const backend::EngineSearch& search);
// Returns the saved values that the check compares with, under the names of the model's outputs.
tensor::NamedTensors expected_outputs(const tensor::NamedTensors& saved, const model::Model& model);

// Runs each engine of the plan once, in workers. What they compute decides which of them the programs use and which
// outputs they expect. Writes this, the plan and the versions of the engines into `input`, whose model is run. An
// engine that fails isn't an error: it may be the failure under investigation. Errors: those of serialising the model.
base::Status run_plan(ReproPlan plan, worker::Pool& pool, ReproInput& input);

}  // namespace assay::report
