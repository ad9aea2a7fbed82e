// The work of `assay run`: runners, iteration by iteration or one after another, each compared with the next.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "compare/accuracy_results.h"
#include "compare/compare_outputs.h"
#include "compare/per_output.h"
#include "data/result_script.h"
#include "data/run_results.h"
#include "run/runner.h"
#include "run/take_top.h"
#include "run/timings.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::run {

class RowJudge;
using Row = std::vector<std::optional<data::IterationResult>>;  // answers in one iteration, by runner

struct RunPlan {
  compare::ComparePlan compare;
  compare::PerOutput<TopOptions> postprocess;  // of the outputs that are compared; what is saved stays as it was
  // A user's functions, in the place of `postprocess` and of all ways of comparing; they see whole iterations. Either
  // may be empty.
  std::function<base::Expected<tensor::NamedTensors>(const data::IterationResult& result)> postprocess_script{};
  std::function<base::Expected<data::Verdicts>(const data::IterationResult& first, const data::IterationResult& second)>
      compare_script{};
  // Called at the end with what was found, if compare.options.keep_metrics is set; may be empty.
  std::function<base::Status(const compare::AccuracyResults& results)> save_accuracy{};
  // Told of every comparison: what was compared of two neighbours, the first of which is runner `pair`. May be empty.
  std::function<void(std::size_t pair, const data::IterationResult& first, const data::IterationResult& second,
                     const compare::IterationJudgement& judgement)>
      watch{};
  bool validate = false;    // NaN or infinity in an output is a failure
  bool sequential = false;  // one runner to its end before the next; all results stay in memory
  int warm_up = 0;          // runs of each engine before the first that counts, with the first inputs

  // Called for each engine that ran whole iterations; may be empty.
  std::function<void(const std::string& runner, const TimingSummary& timings)> take_timings{};

  // Inputs of iteration 0, 1, 2, ...; nullopt where there are no more. `ports`: what the first runner with inputs
  // takes.
  std::function<base::Expected<std::optional<tensor::NamedTensors>>(std::int64_t index,
                                                                    std::span<const tensor::TensorSpec> ports)>
      inputs;
  // True where it is known already that there are no inputs of an iteration: behind the last one, engines give up their
  // models while its results are judged and saved. May be empty.
  std::function<bool(std::int64_t index)> ends_before{};
  // Called with every iteration's inputs and with what all runners answered in it, or with `part` of what they answer;
  // either may be empty.
  std::function<base::Status(std::int64_t index, const tensor::NamedTensors& inputs)> save_inputs;
  std::function<base::Status(std::int64_t index, const std::vector<data::IterationResult>& results, bool part)>
      save_outputs;
};

// True where all comparisons and validations passed. Saved runs are compared as long as they last; where runs differ in
// length, a warning says so. Errors: those of the runners, the inputs and the savers; interrupted on a stop.
base::Expected<bool> run_and_compare(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan,
                                     base::Log& log, const base::Stop& stop);

// A run that is a part of a larger one.
struct RunPart {
  std::int64_t next = 0;  // the first iteration; after the run the one behind the last that was judged
  bool part = false;      // the runners answer only some of their outputs
  bool shows_inputs = true;
  std::function<bool(const Row& row)> go_on{};  // asked behind each row; empty: always
};
// The same as run_and_compare(), the rows being judged by `judge`, which sums up. False where it wants all to end.
base::Expected<bool> run_part(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan, RunPart& part,
                              RowJudge& judge, base::Log& log, const base::Stop& stop);

}  // namespace assay::run
