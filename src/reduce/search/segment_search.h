// What lies between two culprits? Segments of the path between the first node and the last one are replaced by the
// cheapest node that keeps type and shape, or by nothing, as many as possible at a time.
//
// Two culprits far apart on one path can't be found by removing nodes: without the path between them, no value of the
// first reaches the second. So delta debugging works on the segments: all of them first, then sets of adjacent ones. A
// segment may contain nodes that change the shape, which bypassing single nodes can't remove.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "edit/changes/model_change.h"
#include "reduce/explore/strategy.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/path_segments.h"
#include "reduce/search/delta_debugging.h"

namespace assay::reduce {

class SegmentSearch final : public Strategy {
 public:
  struct Start {
    SharedModel model;  // fails
    edit::ValueInfos known;
    std::vector<PathSegment> segments;
  };
  // Returns null if the model has too few segments for this to be worth a check. `values`: recorded values of tensors;
  // their shapes complete what is inferred.
  static std::shared_ptr<const Start> prepare(SharedModel model, const tensor::NamedTensors& values);

  explicit SegmentSearch(std::shared_ptr<const Start> start);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<SegmentSearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // Returns the smallest failing model so far; the initial model if no segment could be replaced.
  [[nodiscard]] const SharedModel& model() const { return best_; }
  // Returns how many candidates couldn't be built since the last check that failed, for tests.
  [[nodiscard]] int skipped() const { return skipped_; }

 private:
  [[nodiscard]] SharedModel build() const;
  [[nodiscard]] bool gives_up() const;

  std::shared_ptr<const Start> start_;
  DeltaDebugging search_;  // over the remaining segments
  SharedModel best_;
  SharedModel trial_;
  int in_vain_ = 0;  // checks since the last one that failed
  int skipped_ = 0;
};
}  // namespace assay::reduce
