// Shortens a model before single nodes are taken out of it: bypasses many nodes with one check.
//
// Removing single nodes costs a check for each node that has to stay, and can't remove what connects two culprits. So
// three cheap steps come first. Neutral nodes (Identity and the like) are removed together. Then nodes that keep type
// and shape are removed, all at once or in sets. Then segments of the path from the first node to the last one are
// replaced (segment_search.h), including nodes that change the shape. Each step ends after a few checks in a row that
// don't fail. The steps needn't be complete: every remaining node is tried alone later.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "reduce/explore/strategy.h"
#include "reduce/search/change_search.h"
#include "reduce/search/segment_search.h"

namespace assay::reduce {

class BypassSearch final : public Strategy {
 public:
  struct Options {
    std::set<std::string, std::less<>> skip{};  // names of passes
    // Recorded values; must outlive the search and its copies.
    const tensor::NamedTensors* values = nullptr;
  };
  // `model` fails.
  BypassSearch(Options options, SharedModel model);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<BypassSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // Returns the smallest failing model so far; the initial model if nothing could be bypassed.
  [[nodiscard]] const SharedModel& model() const;

 private:
  enum class Step { neutral, nodes, segments, ended };
  void begin_step();
  void end_step();
  void begin_changes(std::string_view pass, double chance);

  std::shared_ptr<const Options> options_;
  SharedModel model_;
  Step step_ = Step::neutral;
  std::optional<ChangeSearch> changes_;
  std::optional<SegmentSearch> segments_;
  int in_vain_ = 0;  // checks of this step since the last one that failed
  int allowed_ = 0;  // the step ends when `in_vain_` reaches this number
};

}  // namespace assay::reduce
