#include "tune/time_model.h"

#include <chrono>
#include <utility>
#include <vector>

#include "base/seconds.h"

namespace assay::tune {

base::Expected<ModelTimes> time_model(const run::EngineSetup& engine, const worker::ModelSource& model,
                                      const TimingPlan& plan, worker::Pool& pool, base::Log& log) {
  run::EngineRunner runner(engine, model, pool);
  const auto start = std::chrono::steady_clock::now();
  ASSAY_TRY(runner.activate(log));
  ModelTimes found;
  found.load_s = base::seconds_since(start);
  ASSAY_ASSIGN(const tensor::NamedTensors feeds, plan.inputs(runner.inputs()));
  base::SilentLog silent;
  std::vector<double> seconds;
  for (int i = 0; i < plan.warm_up + plan.runs; ++i) {
    // Each run says the same about the inputs.
    ASSAY_ASSIGN(const auto result, runner.run(i, feeds, i == 0 ? log : static_cast<base::Log&>(silent)));
    if (!result || !result->runtime_s) {
      return base::fail(base::ErrorKind::engine, "the engine doesn't say how long it ran", engine.engine);
    }
    if (i >= plan.warm_up) seconds.push_back(*result->runtime_s);
  }
  found.times = run::summarize_timings(std::move(seconds));
  return found;
}

}  // namespace assay::tune
