// Runs the engines of a plan for a bug report, and chooses the one that the programs use.
#pragma once

#include <string>

#include "base/error.h"
#include "report/repro.h"
#include "report/repro_plan.h"
#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::report {

// Returns the version and the library of an engine, which a worker opens: "1.27.0 (libonnxruntime.so.1.27.0)".
std::string version_text(const run::EngineSetup& setup, worker::Pool& pool);

// Runs each engine of the plan once, in workers. What they compute decides which of them the programs use and which
// outputs they expect. Writes this, the plan and the versions of the engines into `input`, whose model is run. An
// engine that fails isn't an error: it may be the failure under investigation. Errors: those of serialising the model.
base::Status run_plan(ReproPlan plan, worker::Pool& pool, ReproInput& input);

}  // namespace assay::report
