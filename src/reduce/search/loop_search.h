// At which iteration of a Loop does a failure begin? Bisection over the iterations.
//
// Passes open the first iteration of a Loop only. Where the failure needs a later one, the candidate is that iteration
// in the open behind a Loop of those before it (passes/unroll_loop.h). It fails if and only if the failure begins at it
// or before it, so the first that fails has the culprit in the open, where nodes can be searched.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "reduce/passes/pass.h"
#include "reduce/passes/unroll_loop.h"
#include "reduce/search/phases/divide_range.h"
#include "reduce/search/strategy.h"

namespace assay::reduce {

class LoopSearch final : public Strategy {
 public:
  // The last of so many iterations is tried where a Loop does not say how many it runs.
  static constexpr std::int64_t kRoundsIfUnknown = 64;
  // Where it says more, only so many are looked at: bisection would reach the others, engines would take too long.
  static constexpr std::int64_t kMostRounds = 4096;

  // `input`: of a model that fails, and does not with the first iteration alone; all that it refers to, and `values`,
  // have to outlive this object and its copies.
  LoopSearch(const PassInput& input, LoopNode loop);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<LoopSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // With the first iteration that fails in the open; null where none does.
  [[nodiscard]] const std::shared_ptr<const model::Model>& found() const { return found_; }
  [[nodiscard]] const std::string& output() const { return output_; }  // of the check on it

 private:
  [[nodiscard]] std::optional<int> iteration() const;

  PassInput input_;
  LoopNode loop_;
  int last_;
  // The second, as one that shows what a Loop does at all; then the last, which says whether the others are worth it.
  enum class Step { second, last, between, ended };
  Step step_;
  DivideRange range_{0, 0};
  std::shared_ptr<const model::Model> trial_;
  std::string what_;
  std::shared_ptr<const model::Model> found_;
  std::string output_;
};

}  // namespace assay::reduce
