// Runs the passes that simplify a model, round after round, until a round removes no node. All of them form one search,
// so that the explorer can look ahead beyond the end of a pass.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "reduce/explore/strategy.h"
#include "reduce/passes/pass.h"
#include "reduce/search/change_search.h"

namespace assay::reduce {

class SimplifySearch final : public Strategy {
 public:
  struct Options {
    std::set<std::string, std::less<>> skip{};  // names of passes
    bool thorough = false;                      // passes may use any number of checks
    // Recorded values, for freezing; must outlive the search and its copies.
    const tensor::NamedTensors* values = nullptr;
    // Inputs that keep the shape that the user gave, unless `thorough`. May be null; the same lifetime.
    const InputShapes* fixed = nullptr;
    // Passes that simplify may run until the whole reduction has made this many checks, plus one for each node that is
    // left.
    int checks = 0;
  };
  struct Start {
    SharedModel model;              // fails
    SharedModel searched{};         // the last model of which each node was tried; may be null
    SharedModel searched_bodies{};  // the same for nodes in bodies
    int asked = 0;                  // checks so far
  };
  SimplifySearch(Options options, Start start);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<SimplifySearch>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // Returns the simplest failing model so far.
  [[nodiscard]] const SharedModel& model() const { return search_ ? search_->model() : state_.model; }
  // Returns the last model of which each node was tried, in this search or before it.
  [[nodiscard]] const SharedModel& searched() const { return state_.searched; }

 private:
  // Proposing changes is slow, and copies of a search reach the same models, so they share the proposals.
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
  std::optional<ChangeSearch> search_;  // of the current pass
  std::optional<int> left_;             // checks that it may still use; nothing: no limit
};

}  // namespace assay::reduce
