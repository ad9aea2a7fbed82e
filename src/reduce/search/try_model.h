// A search that asks for one model: does it fail?
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "reduce/search/strategy.h"

namespace assay::reduce {

class TryModel final : public Strategy {
 public:
  // `pass`: a literal, see Proposal.
  TryModel(std::shared_ptr<const model::Model> model, std::string_view pass, std::string what)
      : proposal_{.draft = std::move(model), .pass = pass, .what = std::move(what)} {}

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
