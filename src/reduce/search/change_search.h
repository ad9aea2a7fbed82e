// Which of the changes that a pass proposes can be made while the model still fails? All at once first, then by delta
// debugging, which finds those that cannot.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "edit/model_change.h"
#include "reduce/passes/fixed_inputs.h"
#include "reduce/passes/pass.h"
#include "reduce/search/delta_debugging.h"
#include "reduce/search/strategy.h"

namespace assay::reduce {

class ChangeSearch final : public Strategy {
 public:
  struct Start {
    std::shared_ptr<const model::Model> model;  // fails
    std::vector<edit::ModelChange> changes;
    edit::KnownValues known;
  };
  // `chance`: of one change, to be possible. `pass` is a literal.
  ChangeSearch(std::string_view pass, double chance, std::shared_ptr<const Start> start);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<ChangeSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // As far as it has come; the same object as the one of the start where no change was possible.
  [[nodiscard]] const std::shared_ptr<const model::Model>& model() const { return best_; }
  [[nodiscard]] int changes_made() const { return made_; }
  // Those that are not made.
  [[nodiscard]] std::vector<const edit::ModelChange*> refused() const;

 private:
  [[nodiscard]] std::vector<const edit::ModelChange*> chosen(const std::vector<int>& added) const;

  std::string_view pass_;
  std::shared_ptr<const Start> start_;
  DeltaDebugging search_;  // over changes that are not made
  std::shared_ptr<const model::Model> best_;
  std::shared_ptr<const model::Model> trial_;
  int made_ = 0;  // changes in best_
};

// What a pass proposes for a model that fails, `values` being what was recorded of it, as far as it is `wanted` (empty:
// all of it). Null if that is nothing.
using WantedChange = std::function<bool(const edit::ModelChange&)>;
std::shared_ptr<const ChangeSearch::Start> propose_changes(const Pass& pass, std::shared_ptr<const model::Model> model,
                                                           const tensor::NamedTensors& values,
                                                           const FixedInputs* fixed = nullptr,
                                                           const WantedChange& wanted = {});

}  // namespace assay::reduce
