// Decides which checks are worth a slot while a search waits for a verdict.
//
// Copies of the search are explored in order of probability: each assumes outcomes for the running checks, and proposes
// what the search itself would ask for then. If a guess is right, its verdict is ready when the search asks for it.
// This continues past the end of the search, into those that will probably follow. The search itself learns only the
// verdicts that it asks for, so guesses never change a result.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/explore/draft_hashes.h"
#include "reduce/explore/known_candidates.h"
#include "reduce/explore/running_checks.h"
#include "reduce/explore/scouts.h"
#include "reduce/explore/strategy.h"

namespace assay::reduce {

// Scouts, and the subject whose nodes they search. Both may be null.
struct Scouting {
  Scouts* scouts = nullptr;
  const edit::Subject* subject = nullptr;

  // Passes the verdict on a draft that selects nodes to the scouts, if there are any.
  void learn(const Draft& draft, const Verdict& verdict) const;
};

// Creates the search that would follow `ended`, or returns null if that can't be predicted.
using Follow = std::function<std::unique_ptr<Strategy>(const Strategy& ended)>;

// Further places to look ahead, besides the search itself.
struct Outlook {
  Scouting scouting{};         // if the search selects nodes: the scouts estimate the chances then
  std::vector<Follow> then{};  // the search after this one, the one after that, and so on
  // Returns whether building a draft would take long. Only the search itself builds such drafts. Empty: none takes
  // long.
  std::function<bool(const Draft&)> takes_long{};
};

class LookAhead {
 public:
  // All must outlive this object.
  LookAhead(const Strategy& strategy, const Build& build, const Outlook& outlook, KnownCandidates& known,
            DraftHashes& hashes, const RunningChecks& running)
      : strategy_(strategy), build_(build), outlook_(outlook), known_(known), hashes_(hashes), running_(running) {}

  // Lists the checks to run now, the most useful first: the runs of `proposal`, which was built as `now`, the scouts'
  // sets, and what the search will probably ask for next. Errors: those of building.
  base::Expected<std::vector<WantedCheck>> wanted(const Proposal& proposal, const Built& now);
  [[nodiscard]] const Scouting& scouting() const { return outlook_.scouting; }

 private:
  struct Branch;
  class Branches;

  using Wanted = std::vector<WantedCheck>;

  [[nodiscard]] bool is_full(const Wanted& wanted) const { return wanted.size() >= running_.slots(); }
  // Adds runs without a verdict, as long as there are free slots.
  void add(const std::vector<CandidateRun>& runs, const Draft& draft, const Built& built, Wanted& wanted) const;
  // Leaves the model null if it isn't needed, since its verdict is known or its check runs. Returns nothing if building
  // the draft would take long.
  base::Expected<std::optional<Built>> build(const Draft& draft);
  // Adds the scouts' sets, as long as there are free slots.
  base::Status ask_scouts(Wanted& wanted);
  base::Status explore(Wanted& wanted);
  base::Status explore(const Branch& branch, Branches& branches, Wanted& wanted);
  [[nodiscard]] double chance_to_fail(const Proposal& proposal) const;

  const Strategy& strategy_;
  const Build& build_;
  const Outlook& outlook_;
  KnownCandidates& known_;
  DraftHashes& hashes_;
  const RunningChecks& running_;
  Built now_;  // the candidate that the search waits for, so that it isn't built again
};

}  // namespace assay::reduce
