// Times a model in an engine: loads it, runs it some times without measuring, and then measures several runs. The time
// is that of the engine alone, without the transfer of inputs and outputs.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/log.h"
#include "run/engine_runner.h"
#include "run/timings.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"
#include "worker/engine.h"

namespace assay::tune {

struct TimingPlan {
  int warm_up = 5;  // runs that aren't measured
  int runs = 50;
  // Returns inputs for a model that takes these. Must return the same for all models that are compared.
  std::function<base::Expected<tensor::NamedTensors>(std::span<const tensor::TensorSpec>)> inputs;
};

struct ModelTimes {
  run::TimingSummary times;
  double load_s = 0;  // until the engine could run the model; an engine that builds it does it then
};

// Errors: engine if it can't load or run the model, or measures no time; those of `plan.inputs`; interrupted.
base::Expected<ModelTimes> time_model(const run::EngineSetup& engine, const worker::ModelSource& model,
                                      const TimingPlan& plan, worker::Pool& pool, base::Log& log);

}  // namespace assay::tune
