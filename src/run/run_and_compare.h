// The work of `assay run`: executes runners, iteration by iteration or one after another, and compares each with the
// next.
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
#include "compare/match_outputs.h"
#include "compare/per_output.h"
#include "data/input_source.h"
#include "data/result_script.h"
#include "data/run_results.h"
#include "run/runner.h"
#include "run/take_top.h"
#include "run/timings.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::run {

class RowJudge;
using Row = std::vector<std::optional<data::IterationResult>>;  // results of one iteration, by runner

struct RunPlan {
  compare::ComparePlan compare;
  compare::PerOutput<TopOptions> postprocess;  // of the outputs compared; saved outputs stay unchanged
  // A user's functions, used instead of `postprocess` and of all comparison functions; they get whole iterations.
  // Either may be empty.
  std::function<base::Expected<tensor::NamedTensors>(const data::IterationResult& result)> postprocess_script{};
  std::function<base::Expected<data::ScriptAnswers>(const data::IterationResult& first,
                                                    const data::IterationResult& second)>
      compare_script{};
  // Called at the end with the results if compare.options.keep_metrics is set; may be empty.
  std::function<base::Status(const compare::AccuracyResults& results)> save_accuracy{};
  // Called after every comparison of runner `pair` with the next one. May be empty.
  std::function<void(std::size_t pair, const data::IterationResult& first, const data::IterationResult& second,
                     const compare::IterationJudgement& judgement)>
      watch{};
  bool validate = false;    // fail if an output holds NaN or infinity
  bool sequential = false;  // run one engine to its end before the next; all their results stay in memory
  int warm_up = 0;          // unmeasured runs of each engine before the first iteration, with the first inputs

  // Called for each engine that ran whole iterations; may be empty.
  std::function<void(const std::string& runner, const TimingSummary& timings)> take_timings{};

  // Its `ports` are the inputs that the first runner with inputs takes.
  data::InputsByIteration inputs;
  // Returns true if it is already known that iteration `index` has no inputs: after the last iteration, engines release
  // their models while its results are judged and saved. May be empty.
  std::function<bool(std::int64_t index)> ends_before{};
  // Called with the inputs and with all runners' results of every iteration; if `part` is true, the results are only
  // some of the outputs. Either may be empty.
  std::function<base::Status(std::int64_t index, const tensor::NamedTensors& inputs)> save_inputs;
  std::function<base::Status(std::int64_t index, const std::vector<data::IterationResult>& results, bool part)>
      save_outputs;
};

// Returns true if all comparisons and validations passed. Two saved runs are compared up to the end of the shorter one;
// a warning says so if their lengths differ. All their iterations are validated. Errors: those of the runners, the
// inputs and the savers; interrupted on a stop.
base::Expected<bool> run_and_compare(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan,
                                     base::Log& log, const base::Stop& stop);

// Returns which outputs of a runner are compared with which of the next runner, in an iteration.
using OutputMatcher =
    std::function<const std::vector<compare::OutputMatch>&(std::size_t runner, std::int64_t iteration)>;

// A run that is a part of a larger one.
struct RunPart {
  std::int64_t next = 0;  // first iteration to run; afterwards, the one after the last that was judged
  bool partial = false;   // the runners return only some of their outputs
  bool shows_inputs = true;
  std::function<bool(const Row& row)> continues{};  // called after each row; empty: always true
  // Chooses the outputs that are compared with each other, if both runners return them. Parts need it. If it is null,
  // match_outputs() chooses.
  const OutputMatcher* matcher = nullptr;
};
// The same as run_and_compare(), but passes the rows to `judge`, which the caller asks for the summary. Returns false
// if the judge wants the whole run to end.
base::Expected<bool> run_part(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan, RunPart& part,
                              RowJudge& judge, base::Log& log, const base::Stop& stop);

}  // namespace assay::run
