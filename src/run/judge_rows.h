// Processes the results of one iteration: saves and validates them, compares each runner's with the next runner's, and
// counts the iterations that agree.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "compare/accuracy_results.h"
#include "data/run_results.h"
#include "run/run_and_compare.h"
#include "run/runner.h"

namespace assay::run {

class RowJudge {
 public:
  // The plan and the log must outlive the judge.
  RowJudge(const RunPlan& plan, base::Log& log) : plan_(plan), log_(log) {}

  // Takes the runners' results of an iteration in this part of the run. Returns false if the run should end.
  base::Expected<bool> take(const std::vector<std::unique_ptr<Runner>>& runners, std::int64_t index, const Row& row,
                            const RunPart& part);
  // Warns of saved runs with more iterations than those that ran. Called after the last iteration, if no runner or
  // verdict ended the run earlier.
  void warn_of_unused_iterations(const std::vector<std::unique_ptr<Runner>>& runners, std::int64_t iterations);
  // Returns true if all comparisons and validations passed, and logs the outcome. An iteration agrees if all its parts
  // do. Saves the accuracy results if the plan asks for it. Errors: those of saving.
  base::Expected<bool> summarize();

 private:
  struct Pair {  // two neighbouring runners
    std::string first, second;
    std::map<std::int64_t, bool> agrees;  // by iteration
    std::set<std::int64_t> without;       // iterations with outputs that have no partner in the same part
  };

  // Creates the pairs of runners and their accuracy results.
  void start(const std::vector<std::unique_ptr<Runner>>& runners);
  base::Status save(const std::vector<std::unique_ptr<Runner>>& runners, std::int64_t index, const Row& row, bool part);
  // Returns the outputs to compare.
  base::Expected<data::IterationResult> postprocess(const data::IterationResult& answer) const;
  base::Expected<compare::IterationJudgement> judge(const data::IterationResult& first,
                                                    const data::IterationResult& second,
                                                    std::vector<compare::OutputMatch> matches);
  // Fails iterations in which no part had outputs to compare, although there were outputs.
  void judge_parts();
  bool summarize_iterations();
  base::Expected<bool> compare(std::int64_t index, const Row& row, const RunPart& part);
  void keep(std::size_t pair, std::int64_t index, compare::IterationJudgement judgement);
  void warn_of_lengths(std::int64_t index, const Row& row);
  // Warns of settings for outputs that were never compared, which a typing error in a name would leave without effect.
  void warn_of_names() const;

  const RunPlan& plan_;
  base::Log& log_;
  std::vector<std::string> names_;
  std::vector<Pair> pairs_;
  std::set<std::string> compared_;  // outputs
  compare::AccuracyResults accuracy_;
  bool valid_ = true;
  bool comparable_ = true;  // each iteration has outputs to compare
  bool warned_of_lengths_ = false;
  bool ended_early_ = false;  // some outputs were not compared, since the run has failed
};

}  // namespace assay::run
