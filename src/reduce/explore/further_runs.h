// Further runs of the check on a model that failed: does it fail every time?
#pragma once

#include <memory>
#include <vector>

#include "reduce/explore/strategy.h"

namespace assay::reduce {

class FurtherRuns final : public Strategy {
 public:
  // `first`: the number of the first run. Runs of one model with different numbers are different runs.
  FurtherRuns(SharedModel model, int first, int times) : model_(std::move(model)), first_(first), times_(times) {}

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<FurtherRuns>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override { verdicts_.push_back(verdict); }

  // Returns the verdict of each run so far.
  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }

 private:
  SharedModel model_;
  int first_;
  int times_;
  std::vector<Verdict> verdicts_;
};

}  // namespace assay::reduce
