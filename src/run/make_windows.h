// From a model, engines and saved results to windows that can be run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "data/results_reader.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "run/run_windows.h"
#include "worker/engine.h"

namespace assay::run {

// One runner of saved results.
struct StoredResults {
  std::shared_ptr<data::ResultsReader> reader;
  std::size_t runner = 0;
};

struct LayerRun {
  const model::Model& model;         // outlives the windows
  std::vector<std::string> tensors;  // its outputs, each by its exact name
  std::vector<EngineSetup> engines;  // at least one
  std::vector<StoredResults> saved;  // compared as further runners
  std::uint64_t budget = 0;          // bytes
};

// Finds out how large the tensors get: by shape inference for the first inputs of the plan, and where that does not
// tell, by a run of the first engine that gives back shapes alone. Errors: those of the inputs and of the results.
base::Expected<Windows> make_windows(const LayerRun& run, const RunPlan& plan, worker::Pool& pool, base::Log& log);

// Saved results alone, at least one runner: of each iteration only what fits is read at a time.
base::Expected<Windows> make_windows(const std::vector<StoredResults>& saved, std::uint64_t budget, base::Log& log);

}  // namespace assay::run
