// Estimates where the culprits are, from all verdicts: it predicts verdicts for looking ahead, and proposes checks of
// its own for free slots.
//
// Looking ahead alone can't make good use of many slots: N checks of a bisection at once advance it by log2(N + 1)
// steps. Group testing can: each of N checks removes one of N parts of the suspects, and after one round all parts
// without a culprit are known (Dorfman, "The Detection of Defective Members of Large Populations", 1943; Hwang, "A
// Method for Detecting All Defective Members in a Population by Group Testing", 1972). A few rounds find the exact
// culprits. From then on, nearly every verdict that a search will ask for can be predicted, so looking ahead is right
// many steps in advance.
//
// The scouts assume that there are nodes, the culprits, such that a candidate fails if and only if it contains them
// all. If verdicts contradict that, they give up and predict nothing. No prediction reaches a search: every candidate
// is still checked, so results don't depend on the scouts.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reduce/explore/node_sets.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

class Scouts {
 public:
  // `nodes`: all nodes that may be culprits. `parts`: how many sets are tried in a round; 0: none.
  Scouts(Nodes nodes, std::size_t parts);

  // Takes the verdict on the candidate that keeps these nodes, whether the search or the scouts asked for it.
  void learn(const Nodes& kept, Verdict::Kind kind);
  // Returns the probability that a candidate fails; nothing if there's no basis for an estimate.
  [[nodiscard]] std::optional<double> chance_to_fail(const Nodes& kept) const;
  // Returns the sets of nodes to check in this round. Sets drop out as verdicts settle them; the next round begins when
  // none is left. Empty once the culprits are found, or if they can't be found this way.
  [[nodiscard]] std::vector<Nodes> wanted();

 private:
  struct Part {  // one set of a round, without some of the suspects
    Nodes removed;
    Nodes kept;
  };
  [[nodiscard]] std::optional<double> predict(const Nodes& kept) const;
  void add_group(Nodes group);
  void end_parts(const Nodes& kept);
  void begin_round();

  std::size_t parts_;
  bool gave_up_ = false;
  Nodes base_;                             // the smallest set that is known to fail
  Nodes suspects_;                         // the nodes common to all sets that failed
  std::vector<Nodes> groups_;              // disjoint sets of suspects, each with at least one culprit
  std::vector<Part> round_;                // whose verdicts are not known yet
  std::vector<Nodes> known_before_round_;  // groups and suspects
  double predictions_ = 0;                 // verdicts that were predicted
  double surprises_ = 0;                   // wrong predictions, minus the expected number of them
};

}  // namespace assay::reduce
