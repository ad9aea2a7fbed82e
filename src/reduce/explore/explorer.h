// Drives searches: has their candidates judged, remembers the verdicts, and keeps all slots busy by looking ahead.
//
// A verdict comes from the first source that has it: this process, the journal, the replay file (all
// known_candidates.h), or a check (running_checks.h). While a check runs, the other slots judge what the search will
// probably ask for next (look_ahead.h). If that was guessed wrong, such a check is cancelled as soon as its slot is
// needed. The search learns only the verdicts that it asks for, in its own order, so its result doesn't depend on the
// number of slots.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "reduce/candidates/count_nodes.h"
#include "reduce/explore/best_models.h"
#include "reduce/explore/draft_hashes.h"
#include "reduce/explore/known_candidates.h"
#include "reduce/explore/look_ahead.h"
#include "reduce/explore/progress.h"
#include "reduce/explore/progress_log.h"
#include "reduce/explore/running_checks.h"
#include "reduce/explore/strategy.h"
#include "reduce/explore/trial_counts.h"
#include "reduce/judge/judges.h"
#include "reduce/judge/repeat_rule.h"

namespace assay::reduce {

// Limits that end a search early. Only checks that the search asked for count, so that it ends at the same candidate
// for every number of slots.
struct ExploreLimits {
  std::optional<int> until_nodes = {};  // stop once the result has this many nodes or fewer
  std::optional<int> max_checks = {};
};
enum class LimitReached { none, few_nodes, checks };

// The objects and functions that an explorer uses.
struct ExploreParts {
  Judges& judges;
  Journal* journal;        // may be null
  Iterations* iterations;  // may be null
  base::Log& log;
  const base::Stop& stop;
  FailureFilter* filter = nullptr;  // null: every failure counts
  ShowProgress show_progress{};     // may be empty
};

class Explorer {
 public:
  // All references and pointers in `parts` must outlive this object. `rule`: how often each candidate is run, and how
  // the runs are combined.
  explicit Explorer(const ExploreParts& parts, RepeatRule rule = {}, const ExploreLimits& limits = {});
  // Cancels the checks that still run. Finished ones are in the journal.
  ~Explorer();
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  // Runs a search to its end or to a limit. Limits don't apply to further runs (Proposal::further_run). Saves the
  // replay file in any case. Errors: those of building and judging; interrupted; io if the replay file can't be saved.
  base::Expected<LimitReached> run(Strategy& strategy, const Build& build, const Outlook& outlook = {});

  // Judges something else than a candidate (see KnownCandidates), and counts it as a check.
  base::Expected<Verdict> run_unsaved(const FindVerdict& judge);

  // Cancels the checks that were started ahead and still run, so that all slots are free.
  base::Status stop_checks() { return record(running_.cancel_all(), {}); }

  // See BestModels.
  [[nodiscard]] const Judged& best() const { return models_.best(); }
  [[nodiscard]] Judged nearest_passing() const { return models_.nearest_passing(); }
  // Sets the best candidate aside because it doesn't fail again: BestModels::drop_best().
  bool drop_best();
  [[nodiscard]] const std::vector<PassCounts>& passes() const { return progress_.passes(); }
  // Returns the counts so far, except for TrialCounts::ahead.
  [[nodiscard]] const TrialCounts& counts() const { return progress_.counts(); }
  // Returns how many checks were started on candidates that no search has asked for.
  [[nodiscard]] int count_ahead() const;

  // Sets how Constant nodes are counted in candidates that are judged from now on, and the number of nodes of the whole
  // model, counted in this way.
  void count_constants(Constants constants, std::int64_t whole) {
    constants_ = constants;
    models_.set_whole(whole);
  }
  // See KnownCandidates.
  void count_further(const model::Model& model, int first, int count);
  void set_rule(RepeatRule rule) { known_.set_rule(rule); }

 private:
  base::Expected<LimitReached> search(Strategy& strategy, const Build& build, const Outlook& outlook);
  base::Expected<Verdict> judge(const Proposal& proposal, const Built& built, LookAhead& look_ahead);
  // Checks the candidate until it has a verdict, which is returned unclassified.
  base::Expected<Verdict> check(const Proposal& proposal, const Built& built, LookAhead& look_ahead);
  // Stores the verdicts of checks, even if one of them is an error, which is returned.
  base::Status record(std::vector<RunningChecks::Ended> ended, const Scouting& scouting);
  void remember(const Proposal& proposal, const Verdict& verdict, const Built& built);
  // Tells the scouts the verdicts that they wait for. A failing one waits until a candidate has failed, since it may be
  // another failure than that one.
  void tell(const Scouting& scouting);

  const base::Stop& stop_;
  ExploreLimits limits_;
  KnownCandidates known_;
  DraftHashes hashes_;  // of this search
  RunningChecks running_;
  ProgressLog progress_;
  BestModels models_;
  std::vector<std::pair<Draft, std::string>> untold_;  // candidates of this search, and their hashes: see tell()
  Constants constants_ = Constants::as_values;         // how nodes are counted
  int search_ = 0;                                     // counts the searches
};

}  // namespace assay::reduce
