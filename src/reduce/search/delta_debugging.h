// Which elements of a set does a failure need? Probabilistic delta debugging.
//
// Each element has a probability that it is needed. The next try takes out the set that promises the largest gain
// (size times the probability that it can go); what the try says changes the probabilities. So one needed element in
// a thousand is found by halving, a set of which all are needed is tried one by one, and what lies between costs what
// it must. Wang et al., "Probabilistic Delta Debugging" (ESEC/FSE 2021); ddmin: Zeller and Hildebrandt, "Simplifying
// and Isolating Failure-Inducing Input" (2002).
//
// Of elements that were in no failed try yet, only the share that is needed is guessed, and the guess is made better
// with each set that could go: as if the prior were the mean of a beta distribution that began with one needed element
// (in 1/prior). So sets grow twofold from try to try while all goes well.
//
// Ends 1-minimal, whatever the test does: each element that is left was tried alone against the very set that is left.
// Knows nothing of models. A value: copies are independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::reduce {

class DeltaDebugging {
 public:
  // `needed`: prior probabilities in (0, 1]; one that is 1 is still tried alone at the end. Elements that stand
  // together are taken out together.
  explicit DeltaDebugging(std::vector<double> needed);

  // The elements to take out of those that are left, ascending; empty: done. Never all that are left, unless
  // `may_empty` said that nothing at all is a candidate, too. The same until learn().
  const std::vector<int>& next();
  void learn(bool can_go);

  // Probability that they can go, as far as is known.
  [[nodiscard]] double chance() const { return chance_; }
  [[nodiscard]] std::vector<int> left() const;
  [[nodiscard]] std::size_t left_count() const { return left_count_; }
  void may_empty() { may_empty_ = true; }
  // A guess that came up on the way: of elements that are as probable as others these are tried first. Those that were
  // needed are in doubt again: as the set has changed since, each has to be tried once more anyway. What is still
  // taken out in sets keeps its order.
  void prefer(const std::vector<int>& elements);
  // Tries to take out everything first: for elements that cost nothing to try together and can often all go.
  void all_first();

 private:
  [[nodiscard]] double needed(int element) const;
  [[nodiscard]] std::vector<int> by_probability() const;
  void choose();
  void choose_stale();

  std::vector<double> needed_;
  std::vector<bool> fresh_;  // in no failed try yet: needed with the probability 1/fresh_among_
  double fresh_among_ = 0;
  std::vector<bool> gone_;
  std::vector<bool> preferred_;
  std::vector<std::int32_t> tried_alone_;  // the version of the set against which each was tried alone
  std::int32_t version_ = 0;
  std::size_t left_count_;
  std::vector<int> trial_;
  double chance_ = 0;
  bool may_empty_ = false;
};

}  // namespace assay::reduce
