// Passes that make a model simpler, one after the other and round after round, until a round finds nothing; as one
// search, so that whoever looks ahead sees beyond the end of a pass.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "reduce/passes/pass.h"
#include "reduce/search/change_search.h"
#include "reduce/search/strategy.h"

namespace assay::reduce {

class SimplifySearch final : public Strategy {
 public:
  using SharedModel = std::shared_ptr<const model::Model>;
  struct Options {
    std::set<std::string, std::less<>> skip{};  // names of passes
    bool thorough = false;                      // no pass has a bound
    // Recorded values, for freezing; must outlive the search and its copies.
    const tensor::NamedTensors* values = nullptr;
    // Inputs that keep the shape that the user gave, unless `thorough`; as above, or null.
    const FixedInputs* fixed = nullptr;
    // Checks that all may take together, those before this search included, besides one for each node that is left.
    int checks = 0;
  };
  struct Start {
    SharedModel model;              // fails
    SharedModel searched{};         // the model of which each node was tried last; may be null
    SharedModel searched_bodies{};  // the same, of nodes in bodies
    int asked = 0;                  // checks so far
  };
  SimplifySearch(Options options, Start start);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<SimplifySearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // As far as it has come; fails.
  [[nodiscard]] const SharedModel& model() const { return search_ ? search_->model() : state_.model; }
  // The last model of which each node was tried, by this search or before it.
  [[nodiscard]] const SharedModel& searched() const { return state_.searched; }

 private:
  // Proposing takes long, and copies of a search come by the same models: they share what was proposed.
  struct Shared;

  [[nodiscard]] const Pass& pass() const { return passes()[pass_]; }
  [[nodiscard]] bool is_worth_it() const;
  [[nodiscard]] bool has_searched_bodies() const;
  [[nodiscard]] std::optional<int> allowance() const;
  void begin_pass();
  void end_pass();

  std::shared_ptr<Shared> shared_;
  Start state_;
  int round_ = 0;
  std::size_t pass_ = 0;
  bool changed_ = false;                // in this round
  std::optional<ChangeSearch> search_;  // of the pass at work
  std::optional<int> left_;             // checks of that pass
};

}  // namespace assay::reduce
