// A search that asks for one candidate: does it fail?
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "reduce/explore/strategy.h"

namespace assay::reduce {

class TryModel final : public Strategy {
 public:
  explicit TryModel(Proposal proposal) : proposal_(std::move(proposal)) {}

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<TryModel>(*this); }
  std::optional<Proposal> next() override { return has_ended_ ? std::nullopt : std::optional(proposal_); }
  void learn(const Verdict& verdict) override {
    has_ended_ = true;
    fails_ = verdict.kind == Verdict::Kind::fails;
  }

  [[nodiscard]] bool fails() const { return fails_; }

 private:
  Proposal proposal_;
  bool has_ended_ = false;
  bool fails_ = false;
};

}  // namespace assay::reduce
