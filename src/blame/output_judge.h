// Judges ways to run a model by their outputs: another setting of the engine, another version, another precision.
//
// One run is the reference. Its inputs and outputs stay in memory, so each way to run the model costs one run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "blame/precision_trial.h"
#include "data/run_results.h"
#include "run/engine_runner.h"
#include "run/run_and_compare.h"
#include "worker/engine.h"

namespace assay::blame {

struct Agreement {
  bool agrees = false;
  std::string text;  // for people: "outputs agree", "2 of 3 outputs differ: ...", or how the engine failed
  double seconds = 0;
  // The largest error of an output: the norm of the difference, relative to that of the values; kNotComparable if the
  // engine failed. Absent if nothing was compared.
  std::optional<double> error = std::nullopt;
};

// Judges a model in an engine with some settings: by its outputs (OutputJudge::judge), or by a check of the user's.
using EngineJudge =
    std::function<base::Expected<Agreement>(const run::EngineSetup& engine, const worker::ModelSource& model)>;

class OutputJudge {
 public:
  struct Setting {
    run::RunPlan plan;  // inputs, comparison and postprocessing; other members are ignored
    worker::Pool& pool;
    base::Log& log;  // receives the details of comparisons as verbose messages
    const base::Stop& stop;
  };

  // Runs the reference for all iterations of the plan's inputs. Runs it twice, since an engine that returns different
  // outputs for the same inputs says nothing about its settings. Errors: engine if it fails, unsupported if the two
  // runs differ, interrupted; those of the inputs.
  static base::Expected<OutputJudge> make(const run::EngineSetup& reference, const worker::ModelSource& model,
                                          Setting setting);
  // Uses saved results as the reference, instead of a run.
  static OutputJudge make(data::RunnerResults reference, Setting setting);

  // Runs the model and compares its outputs with those of the reference. An engine that fails doesn't agree. Errors:
  // those of the inputs; interrupted.
  [[nodiscard]] base::Expected<Agreement> judge(const run::EngineSetup& engine, const worker::ModelSource& model) const;

  // Returns the inputs of the first iteration; empty before the first run.
  [[nodiscard]] const tensor::NamedTensors& first_inputs() const;

 private:
  OutputJudge(data::RunnerResults reference, Setting setting);

  Setting setting_;
  std::shared_ptr<std::vector<tensor::NamedTensors>> inputs_;
  data::RunnerResults reference_;
};

}  // namespace assay::blame
