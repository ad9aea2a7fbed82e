// Runs a model once in an engine, for all iterations of the inputs, and keeps how that ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "compare/compare_outputs.h"
#include "diagnose/case.h"
#include "run/engine_runner.h"
#include "stats/measure.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::diagnose {

// Inputs or outputs, by iteration.
using TensorsByIteration = std::vector<tensor::NamedTensors>;

struct Trial {
  std::string version;  // of the engine; empty if it did not start
  std::string reduced_precision;
  double load_s = 0, run_s = 0;  // seconds; of a failure, those until it
  TensorsByIteration outputs;    // of the iterations that ran
  std::string phase;             // of a failure: "start", "load" or "run"; empty if there is none
  std::string failure;           // "crashed with signal 11 (Segmentation fault)"
  int signal = 0;                // that ended the process; 0 if none did
  double hung_s = 0;             // the time limit that the phase exceeded; 0 if it didn't

  [[nodiscard]] bool runs() const { return phase.empty(); }
};

struct TrialOptions {
  int repeats = 1;  // runs of each iteration in the same session; the outputs of all are kept, in the order of runs
};

// Failures of the engine are part of the trial. Errors: interrupted; invalid_input if the inputs don't fit the model.
base::Expected<Trial> try_engine(const run::EngineSetup& engine, const worker::ModelSource& model,
                                 const TensorsByIteration& inputs, worker::Pool& pool, base::Log& log,
                                 const TrialOptions& options = {});
// The same with the model and the inputs of the case.
base::Expected<Trial> try_engine(const run::EngineSetup& engine, const Case& task, const StepContext& context,
                                 const TrialOptions& options = {});

// Returns the failure of a trial in one line. After an assertion, the last line of the output says why; after other
// crashes, it is a list of what Python had loaded. The end of a long line stays: it says why, after the place in the
// engine's code.
std::string in_few_words(const Trial& failed);

// The difference between the outputs of two trials.
struct Comparison {
  bool agrees = true;
  std::string output;   // the first that differs
  std::string text;     // "output 'y' differs by up to 0.12 (absolute)"
  double absolute = 0;  // the largest error of all outputs (largest_error)
  int outputs = 0;      // that were compared
};
// Returns the largest absolute error: infinity if a value is NaN on one side only, or if strings differ.
double largest_error(const stats::ErrorSummary& error);
// Compares all outputs that both have. NaN equals NaN, and so do infinities of the same sign.
Comparison compare(const TensorsByIteration& first, const TensorsByIteration& second, const compare::ComparePlan& plan);

}  // namespace assay::diagnose
