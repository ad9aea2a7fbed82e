// At which iteration of a Loop does a failure begin? Bisection over the iterations.
//
// Passes open only the first iteration of a Loop. If the failure needs a later one, a candidate consists of a Loop over
// the earlier iterations, followed by that iteration's nodes in the outer graph (passes/bodies/unroll_loop.h). It fails
// if and only if the failure begins at or before that iteration. So the first iteration that fails has the culprit in
// the outer graph, where nodes can be searched.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "reduce/explore/strategy.h"
#include "reduce/passes/bodies/unroll_loop.h"
#include "reduce/passes/pass.h"
#include "reduce/search/phases/divide_range.h"

namespace assay::reduce {

class LoopSearch final : public Strategy {
 public:
  // At most this many iterations are searched: bisection could handle more, but engines would take too long.
  static constexpr std::int64_t kMostRounds = 4096;

  // `input` describes a model that fails, but not with the first iteration alone. Everything that it refers to,
  // including `values`, must outlive this object and its copies.
  LoopSearch(const PassInput& input, LoopNode loop);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<LoopSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // Returns the model in which the first failing iteration is in the outer graph; null if none fails.
  [[nodiscard]] const SharedModel& found() const { return found_; }
  // Returns the first output of the Loop in found() that runs the earlier iterations; empty if there is none.
  [[nodiscard]] const std::string& found_before() const { return found_before_; }
  [[nodiscard]] const std::string& output() const { return output_; }  // the check's, on found()

 private:
  [[nodiscard]] std::optional<int> iteration() const;

  PassInput input_;
  LoopNode loop_;
  int last_;
  // The second iteration comes first, since it shows what a repetition does; then the last: if it passes, bisection is
  // useless.
  enum class Step { second, last, between, ended };
  Step step_;
  DivideRange range_{0, 0};
  SharedModel trial_;
  std::string what_;
  std::string before_;  // of trial_
  SharedModel found_;
  std::string found_before_;
  std::string output_;
};

}  // namespace assay::reduce
