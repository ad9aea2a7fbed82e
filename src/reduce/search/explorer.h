// Drives searches: has their candidates judged, remembers the verdicts, and keeps all slots busy by looking ahead.
//
// A verdict comes from the first source that has it: this process, the journal, the replay file, a check. To look
// ahead, the explorer copies the search, assumes outcomes for the running checks, and starts the candidates that the
// search will most probably propose next. If a guess was right, its verdict is ready when the search asks for it; if it
// was wrong, its check is cancelled as soon as its slot is needed. The search itself learns only the verdicts that it
// asks for, in its own order, so its result doesn't depend on the number of slots. Looking ahead continues past the end
// of the search, into those that will probably follow.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "reduce/judge/judges.h"
#include "reduce/judge/repeat_rule.h"
#include "reduce/search/best_models.h"
#include "reduce/search/progress.h"
#include "reduce/search/scouts.h"
#include "reduce/search/strategy.h"
#include "reduce/search/trial_counts.h"
#include "reduce/verdicts/count_nodes.h"
#include "reduce/verdicts/iterations.h"
#include "reduce/verdicts/journal.h"

namespace assay::reduce {

// Limits that end a search early. Only checks that the search asked for count, so that it ends at the same candidate
// for every number of slots.
struct ExploreLimits {
  std::optional<int> until_nodes = {};  // stop once the result has this many nodes or fewer
  std::optional<int> max_checks = {};
};
enum class ExploreEnd { finished, few_nodes, checks };

// Counts for one pass or phase over the whole reduction.
struct PassCounts {
  std::string pass;
  int checks = 0;  // that it was the first to ask for
  int failing = 0;
  std::int64_t nodes_removed = 0;
};

// Scouts, and the subject whose nodes they search. Both may be null.
struct Scouting {
  Scouts* scouts = nullptr;
  const edit::Subject* subject = nullptr;
};

// Creates the search that would follow `ended`, or returns null if that can't be predicted. Used only to look ahead.
using Follow = std::function<std::unique_ptr<Strategy>(const Strategy& ended)>;

// Where to look ahead, besides the search itself.
struct Outlook {
  Scouting scouting{};         // if the search selects nodes: the scouts estimate the chances then
  std::vector<Follow> then{};  // the search after this one, the one after that, and so on
};

class Explorer {
 public:
  // Builds a proposed candidate; null if there is nothing to judge.
  using Build = std::function<base::Expected<std::shared_ptr<const model::Model>>(const Draft&)>;
  // Receives each verdict that isn't unresolved, and turns a failure of another kind than the original's into an
  // unresolved verdict.
  using Classify = std::function<void(Verdict&, const std::shared_ptr<const model::Model>&)>;

  struct Parts {
    Judges& judges;
    Journal* journal;        // may be null
    Iterations* iterations;  // may be null
    base::Log& log;
    const base::Stop& stop;
    TrialCounts& counts;
    Classify classify;
    RepeatRule rule;  // how often each candidate is run, and how the runs are combined
    ExploreLimits limits;
    ShowProgress show_progress{};  // may be empty
  };
  explicit Explorer(Parts parts);
  // Cancels the checks that still run. Finished ones are in the journal.
  ~Explorer();
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  // Runs a search to its end or to a limit. `stage`: a number; within one stage, equal selections build equal
  // candidates. Limits don't apply to further runs (Proposal::further_run). Errors: those of building and judging;
  // interrupted.
  base::Expected<ExploreEnd> run(Strategy& strategy, const Build& build, int stage, const Outlook& outlook = {});

  // See BestModels.
  [[nodiscard]] const Judged& best() const { return models_.best(); }
  [[nodiscard]] Judged nearest_passing() const { return models_.nearest_passing(); }
  // Sets the best candidate aside because it doesn't fail again: BestModels::drop_best().
  bool drop_best();
  [[nodiscard]] const std::vector<PassCounts>& passes() const { return passes_; }

  // Sets how Constant nodes are counted in candidates that are judged from now on.
  void count_constants(Constants constants) { constants_ = constants; }

  // Takes effect immediately. Candidates that didn't fail under the old rule are judged again, starting from the runs
  // already recorded.
  void set_rule(RepeatRule rule);

 private:
  struct Known {  // of a candidate, by its hash
    std::vector<std::optional<Verdict>> runs{};
    std::map<int, Verdict> further_runs{};
    std::optional<Verdict> verdict{};  // all runs together, classified
    bool asked = false;                // by a search; otherwise only looked ahead at, or from an earlier process
  };
  struct Run {
    std::string hash;
    std::size_t number = 0;
    std::optional<int> further = {};
    friend auto operator<=>(const Run&, const Run&) = default;
  };
  struct Built {
    std::string hash;
    std::shared_ptr<const model::Model> model;  // null if only the hash was needed, and it is known
    std::int64_t nodes = 0;                     // as in Judged; only set for candidates to be judged
  };
  struct Wanted {
    Run run;
    Draft draft;
    std::shared_ptr<const model::Model> model;
  };
  struct Search {  // everything needed to look ahead
    const Strategy& strategy;
    const Build& build;
    const Outlook& outlook;
  };
  struct Running {
    Run run;
    Draft draft;
    int stage = 0;
  };

  static std::string journal_key(const Run& run);
  enum class Need { model, hash };
  base::Expected<Built> build(const Draft& draft, const Build& build, Need need);
  // Leaves the model null if it isn't needed, since its verdict is known or its check runs.
  base::Expected<Built> build_ahead(const Draft& draft, const Build& build);
  base::Expected<Verdict> judge(const Proposal& proposal, const Built& built, const Search& search);
  base::Expected<Verdict> check(const Proposal& proposal, const Built& built, const Search& search);
  // Returns the combined verdict of the known runs; nothing if more runs are needed.
  std::optional<Verdict> settle(const std::string& hash);
  void recall(const std::string& hash);
  // Returns the known verdict on a candidate, or on the further run that the proposal names.
  std::optional<Verdict> find(const Proposal& proposal, const std::string& hash);
  base::Expected<std::vector<Wanted>> wanted(const Proposal& proposal, const Built& now, const Search& search);
  base::Status send_scouts(const Search& search, std::vector<Wanted>& wanted);
  base::Status look_ahead(const Search& search, std::vector<Wanted>& wanted);
  void add(const Run& run, const Draft& draft, const Built& built, std::vector<Wanted>& wanted) const;
  void add_runs(const Draft& draft, const Built& built, std::size_t runs, std::vector<Wanted>& wanted);
  base::Status start(const std::vector<Wanted>& wanted, Scouts* scouts);
  base::Status wait_for_some(Scouts* scouts);
  base::Status take(Judges::Ended ended, Scouts* scouts);
  base::Status cancel(Judges::Ticket ticket, Scouts* scouts);
  static void tell(Scouts* scouts, const Draft& draft, const Verdict& verdict);
  void show_progress(std::string_view pass, bool is_smaller) const;
  [[nodiscard]] std::string progress() const;
  void remember(const Proposal& proposal, const Verdict& verdict, const Built& built);
  PassCounts& counts_of(std::string_view pass);

  Parts parts_;
  std::map<std::string, Known> known_;
  std::unordered_map<std::string, std::string> hashes_;  // in this stage, by the key of a selection
  std::map<Judges::Ticket, Running> running_;
  std::vector<PassCounts> passes_;
  BestModels models_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  Constants constants_ = Constants::as_values;  // how nodes are counted
  int stage_ = 0;
  int iteration_ = 0;
};

}  // namespace assay::reduce
