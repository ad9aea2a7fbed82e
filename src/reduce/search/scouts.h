// Where the culprits seem to be, learned from all verdicts: guesses for looking ahead, and checks of its own for slots
// that are free.
//
// Looking ahead alone cannot keep many slots useful: a bisection's checks carry a bit each, so N of them at once get on
// by log2(N + 1). Group testing can: take out one of N parts of the suspects in each of N checks, and all parts without
// a culprit are known after one round (Dorfman, "The Detection of Defective Members of Large Populations", 1943; Hwang,
// "A Method for Detecting All Defective Members in a Population by Group Testing", 1972). A few rounds find the
// culprits to the node. After that nearly all that a search will ask can be foretold, so looking ahead is right for a
// long way.
//
// It takes for granted that there are nodes, the culprits, and that a candidate fails if and only if it holds them all.
// Where verdicts contradict that, it gives up, and knows nothing. Nothing that it says reaches a search: what was
// foretold is checked nonetheless, so results do not depend on it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reduce/verdicts/node_sets.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

class Scouts {
 public:
  // `nodes`: all that may hold culprits. `parts`: how many sets are tried in a round.
  Scouts(Nodes nodes, std::size_t parts);

  // A verdict on the candidate that keeps these nodes, whoever asked for it.
  void learn(const Nodes& kept, Verdict::Kind kind);
  // The probability that a candidate fails; absent where nothing is known that would tell.
  [[nodiscard]] std::optional<double> chance_to_fail(const Nodes& kept) const;
  // Sets whose verdicts would tell most, in the order of their worth. The same ones until enough of them are known;
  // none where the culprits are found, or do not let themselves be found this way.
  [[nodiscard]] std::vector<Nodes> wanted();

 private:
  struct Part {  // of a round: a set without some of the suspects
    Nodes taken_out;
    Nodes kept;
  };
  [[nodiscard]] std::optional<double> foretell(const Nodes& kept) const;
  void add_group(Nodes group);
  void end_parts(const Nodes& kept);
  void begin_round();

  std::size_t parts_;
  bool gave_up_ = false;
  Nodes base_;                             // the smallest set that is known to fail
  Nodes suspects_;                         // in all sets that failed
  std::vector<Nodes> groups_;              // disjoint sets of suspects, each with a culprit or more
  std::vector<Part> round_;                // whose verdicts are not known yet
  std::vector<Nodes> known_before_round_;  // groups and suspects
  double foretold_ = 0;                    // verdicts of which it knew something before
  double surprises_ = 0;                   // more of them than chance would have it
};

}  // namespace assay::reduce
