// Prepares windows (run_windows.h) from a model, engines and saved results.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"
#include "run/layer_engines.h"
#include "run/partners_by_iteration.h"
#include "run/run_windows.h"
#include "worker/engine.h"

namespace assay::run {

struct LayerRun {
  const model::Model& model;         // must outlive the windows
  std::vector<LayerEngine> engines;  // at least one
  std::vector<StoredResults> saved;  // compared as further runners
  std::uint64_t budget = 0;          // bytes
  // The model as engines get it if everything fits into one window. Null: it is created from `model` by marking the
  // tensors. It must not be null if an engine needs the whole model.
  std::shared_ptr<const worker::ModelSource> whole{};
};

// Creates windows for a run of engines. Finds the sizes of the tensors by shape inference for the plan's first inputs;
// if that leaves sizes unknown and memory may not suffice, the first engine runs the model once and returns shapes
// only. Errors: those of the inputs and of the results; unsupported if there are several windows and TensorRT's engine
// should be saved.
base::Expected<Windows> make_windows(const LayerRun& run, const RunPlan& plan, worker::Pool& pool, base::Log& log);

// Creates windows for saved results only, of at least one runner. Of each iteration, only as much as fits is read at a
// time.
base::Expected<Windows> make_windows(const std::vector<StoredResults>& saved, std::uint64_t budget, base::Log& log);

}  // namespace assay::run
