// For tests of explorers.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/stop.h"
#include "reduce/explore/explorer.h"

namespace assay::reduce::test {

// No journal and no iterations; nothing is logged, and no stop is requested. `judges` must outlive it.
inline ExploreParts bare_explorer_parts(Judges& judges) {
  static base::SilentLog log;
  static const base::Stop stop;
  return {.judges = judges, .journal = nullptr, .iterations = nullptr, .log = log, .stop = stop};
}

// Proposes these drafts one after the other, whatever the verdicts are.
class InTurn final : public Strategy {
 public:
  explicit InTurn(std::vector<Draft> drafts) : drafts_(std::move(drafts)) {}

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<InTurn>(*this); }
  std::optional<Proposal> next() override {
    if (step_ == drafts_.size()) return std::nullopt;
    return Proposal{.draft = drafts_[step_], .pass = "in-turn"};
  }
  void learn(const Verdict&) override { ++step_; }

 private:
  std::vector<Draft> drafts_;
  std::size_t step_ = 0;
};

}  // namespace assay::reduce::test
