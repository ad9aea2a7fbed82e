// Modes `bisect` and `linear`: first the outputs move up, then the inputs move down, each by a search over the nodes in
// file order.
//
// These searches take the same steps as Polygraphy's, so that its replay files can be used. Everything between the two
// ends remains, so the result is rarely minimal.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "edit/selection.h"
#include "edit/subject.h"
#include "reduce/explore/strategy.h"
#include "reduce/search/position_search.h"

namespace assay::reduce {

class EndsSearch final : public Strategy {
 public:
  struct Options {
    PositionSearch::Order order = PositionSearch::Order::bisect;
    bool outputs = true;  // move the outputs up
    bool inputs = true;   // move the inputs down
    // If only the inputs move, other branches that join after the cut often become further inputs. If true, one more
    // candidate has these frozen.
    bool freeze_cut = true;
  };
  // `subject` must outlive the search and its copies.
  EndsSearch(const edit::Subject& subject, const Options& options);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<EndsSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

 private:
  enum class Phase { outputs, inputs, sides, ended };
  void begin(Phase phase);
  [[nodiscard]] std::shared_ptr<const CutSelection> candidate() const;

  const edit::Subject* subject_;
  Options options_;
  edit::Selection start_;  // where the phase begins
  Phase phase_ = Phase::ended;
  std::optional<PositionSearch> positions_;
  int iteration_ = 0;                          // within the phase
  std::shared_ptr<const CutSelection> trial_;  // what next() proposed
  // The smallest failing candidate of the phase, before its inputs were completed.
  std::shared_ptr<const CutSelection> found_;
};

}  // namespace assay::reduce
