// Which elements of a set does a failure need? Probabilistic delta debugging.
//
// Each element has a probability of being needed. The next trial removes the set with the largest expected gain (its
// size times the probability that it can be removed); the outcome updates the probabilities. So one needed element in a
// thousand is found by halving, elements that are all needed are tried one by one, and the cost of cases in between
// depends on how many are needed. Wang et al., "Probabilistic Delta Debugging" (ESEC/FSE 2021); ddmin: Zeller and
// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002).
//
// Elements that haven't been part of a rejected set yet share one estimate of the fraction that is needed. Each set
// that could be removed lowers it, as if the prior were the mean of a beta distribution that began with one needed
// element (in 1/prior). So sets double in size from trial to trial as long as trials succeed.
//
// Other elements are probably needed, and are tried one by one. That may be wrong for all of them, for example if sets
// were rejected because they couldn't be judged. So once a few of them could be removed in a row, the elements after
// the next one are tried together with it: 2, 4, 8 and so on, until such a run is rejected.
//
// The result is 1-minimal, whatever the test does: each remaining element was tried alone against the remaining set.
// Doesn't depend on models. Copies are independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::reduce {

class DeltaDebugging {
 public:
  // `needed`: the prior probability of each element, in (0, 1]; an element with 1 is still tried alone at the end.
  // Adjacent elements of equal probability are removed together.
  explicit DeltaDebugging(std::vector<double> needed);
  // For elements of which nothing is known. All share an estimate of the fraction that is needed, which each trial
  // corrects, also one that fails. So they are tried one by one if most are needed, and in sets if few are.
  static DeltaDebugging without_prior(std::size_t count);

  // Returns which of the remaining elements to remove, in ascending order; empty if the search has ended. Never returns
  // all of them, unless allow_empty() was called. Returns the same until learn() is called.
  const std::vector<int>& next();
  void learn(bool removable);

  // Returns whether next() is a run of adjacent elements that is tried because single ones could be removed in a row.
  [[nodiscard]] bool is_run() const { return is_run_; }
  // Returns the estimated probability that the elements of next() can be removed.
  [[nodiscard]] double chance() const { return chance_; }
  [[nodiscard]] std::vector<int> remaining() const;
  // Returns for each element whether the trial lacks it: those of next(), and those removed before.
  [[nodiscard]] std::vector<bool> removed_in_trial() const;
  // Allows the empty set as a candidate.
  void allow_empty() { allows_empty_ = true; }
  // Tries these elements before others of equal probability. Elements that were found to be needed are in doubt again:
  // as the set has changed since, each has to be tried again anyway. Elements that haven't been in a rejected set yet
  // keep their order.
  void prefer(const std::vector<int>& elements);
  // Tries to remove all elements first. Use it if that often succeeds.
  void all_first();

 private:
  [[nodiscard]] double needed(int element) const;
  [[nodiscard]] std::vector<int> by_probability() const;
  [[nodiscard]] double chance_of_fresh(std::size_t count) const;
  void choose();
  void choose_stale();
  void extend_to_run();
  void estimate_share();

  std::vector<double> needed_;
  std::vector<bool> fresh_;  // not in a rejected set yet: needed with probability 1/fresh_among_
  double fresh_among_ = 0;
  bool failures_count_ = false;  // whether a rejected set changes that probability, too
  std::vector<bool> removed_;
  std::vector<bool> preferred_;
  std::vector<std::int32_t> tried_alone_;  // the version of the set against which each was tried alone
  std::int32_t version_ = 0;
  std::size_t remaining_count_;
  std::vector<int> trial_;
  double chance_ = 0;
  bool is_run_ = false;             // the trial was extended to a run
  std::size_t removed_in_row_ = 0;  // alone or in runs, since the last rejected trial
  bool allows_empty_ = false;
};

}  // namespace assay::reduce
