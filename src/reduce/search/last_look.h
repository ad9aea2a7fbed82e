// The last search: is there any node that can be removed after all?
//
// Every remaining node is removed alone, in every way that is available (removals.h). If a candidate fails, it is the
// new result, and the look starts again. At the end at least two verdicts support each remaining node: if only one
// candidate without it was tried, that candidate is judged again, since one pass of an intermittent check proves
// little.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reduce/explore/strategy.h"
#include "reduce/search/removals.h"

namespace assay::reduce {

inline constexpr std::string_view kVerify = "verify";  // the name of this search among the passes

class LastLook final : public Strategy {
 public:
  using ListWays = std::function<std::shared_ptr<Removals>(const SharedModel&)>;
  struct Options {
    bool runs_again = true;  // false: the rule for verdicts repeats each check anyway
    int first_run = 0;       // the number of the first further run (Proposal::further_run)
  };
  // `model` fails. `list` creates the ways for a model.
  LastLook(SharedModel model, ListWays list, Options options);

  [[nodiscard]] std::unique_ptr<Strategy> clone() const override { return std::make_unique<LastLook>(*this); }
  std::optional<Proposal> next() override;
  void learn(const Verdict& verdict) override;

  // Returns the smallest model that failed.
  [[nodiscard]] const SharedModel& model() const { return model_; }
  // Returns its nodes for which no candidate without them could be built, with the reasons; complete when the search
  // has ended.
  [[nodiscard]] std::vector<std::string> untried() const { return ways_->untried(); }
  // Returns the candidate that passed, then failed when it was judged again, which ends the search; null if none did.
  [[nodiscard]] const SharedModel& flipped() const { return flipped_; }
  // Returns whether a model without nodes fails, too.
  [[nodiscard]] bool empty_fails() const { return empty_fails_; }

 private:
  struct Passed {  // candidates without one node
    SharedModel model;
    std::set<std::string> candidates;  // their hashes
  };
  void begin(SharedModel model);
  void restart_after(SharedModel model, Removals::Way last);
  void learn_way(const Verdict& verdict);
  // Returns the way to try next, or nothing if all were tried.
  [[nodiscard]] std::optional<std::size_t> at() const;
  [[nodiscard]] const SharedModel* again() const;  // the candidate to be judged again; null: none

  ListWays list_;
  Options options_;
  SharedModel model_;
  std::shared_ptr<Removals> ways_;
  std::size_t tried_ = 0;  // number of ways tried, counted from `first_` and wrapping around
  std::size_t first_ = 0;
  std::vector<Passed> passed_;  // by node
  std::size_t again_ = 0;       // node
  SharedModel flipped_;
  bool empty_fails_ = false;
};

}  // namespace assay::reduce
