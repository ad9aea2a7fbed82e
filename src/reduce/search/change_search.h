// Which of the changes that a pass proposes can be applied while the model still fails? First all of them are tried at
// once; then delta debugging finds those that can't be applied.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "edit/changes/model_change.h"
#include "reduce/explore/strategy.h"
#include "reduce/passes/pass.h"
#include "reduce/search/delta_debugging.h"
#include "reduce/values/reference_inputs.h"

namespace assay::reduce {

class ChangeSearch final : public Strategy {
 public:
  struct Start {
    SharedModel model;  // fails
    std::vector<edit::ModelChange> changes;
    edit::ValueInfos known;
    // The checker accepts `model`. Changes that it rejects aren't tried: they would say nothing about the failure.
    bool stays_valid = false;
  };
  // `chance`: the probability that one change can be applied. `pass` must be a string literal.
  ChangeSearch(std::string_view pass, double chance, std::shared_ptr<const Start> start);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<ChangeSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // Returns the failing model with the changes so far; the very object from `start` if no change was possible.
  [[nodiscard]] const SharedModel& model() const { return best_; }
  [[nodiscard]] int changes_made() const { return made_; }
  // Returns the changes that aren't applied. The pointers refer to `start`.
  [[nodiscard]] std::vector<const edit::ModelChange*> refused() const;

 private:
  [[nodiscard]] std::vector<const edit::ModelChange*> chosen() const;

  std::string_view pass_;
  std::shared_ptr<const Start> start_;
  DeltaDebugging search_;  // over the changes that aren't applied
  SharedModel best_;
  SharedModel trial_;
  // Changes in best_ and in trial_, without those that are void.
  int made_ = 0;
  int trial_made_ = 0;
};

// Returns the changes that a pass proposes for a failing model and that `wanted` accepts (empty: all); null if there
// are none. `values`: recorded values by tensor name. `fixed`: inputs whose shape no change may alter; may be null.
// `keeps_values`: as in PassInput.
using WantedChange = std::function<bool(const edit::ModelChange&)>;
std::shared_ptr<const ChangeSearch::Start> propose_changes(const Pass& pass, SharedModel model,
                                                           const tensor::NamedTensors& values,
                                                           const InputShapes* fixed = nullptr,
                                                           const WantedChange& wanted = {}, bool keeps_values = false);

}  // namespace assay::reduce
