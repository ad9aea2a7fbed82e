// Drives searches: has their candidates judged, remembers the verdicts, and keeps all slots busy by looking ahead.
//
// A verdict comes from the first that knows it: this process, the journal, the replay file, a check. Looking ahead, it
// copies the search, answers for the checks that run, and starts what the search would most probably try next. What is
// right of these guesses is there when the search asks for it; what is wrong is cancelled when its slot is wanted. The
// search itself hears only of the verdicts that it asks for, in its own order, so its result does not depend on how
// many slots there are. Looking ahead does not end where a search does: it goes on into what will probably follow.
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
#include "reduce/search/scouts.h"
#include "reduce/search/strategy.h"
#include "reduce/search/trial_counts.h"
#include "reduce/verdicts/count_nodes.h"
#include "reduce/verdicts/iterations.h"
#include "reduce/verdicts/journal.h"

namespace assay::reduce {

// When to be content with what there is. Checks are counted as verdicts that the search asked for, so that the end is
// the same for every number of slots.
struct ExploreLimits {
  std::optional<int> until_nodes = {};
  std::optional<int> max_checks = {};
};
enum class ExploreEnd { finished, few_nodes, checks };

// Of one pass or phase, over a whole reduction.
struct PassCounts {
  std::string pass;
  int checks = 0;  // that it asked for and nobody had made before
  int failing = 0;
  std::int64_t nodes_removed = 0;
};

// Scouts, and the subject whose nodes they go through; may be null.
struct Scouting {
  Scouts* scouts = nullptr;
  const edit::Subject* subject = nullptr;
};

// Makes the search that comes after one that has ended; null where nobody knows. Only guesses are made of it.
using Follow = std::function<std::unique_ptr<Strategy>(const Strategy& ended)>;

// Where to look besides the search that is driven.
struct Outlook {
  Scouting scouting{};         // where the strategy searches nodes: guesses are the scouts' then
  std::vector<Follow> then{};  // the search after this one, the one after that, and so on
};

class Explorer {
 public:
  // Builds what a search proposes; null where there is nothing to judge.
  using Build = std::function<base::Expected<std::shared_ptr<const model::Model>>(const Draft&)>;
  // Looks at a verdict that isn't unresolved: is a failing one the failure that is searched? If not, it becomes
  // unresolved.
  using Classify = std::function<void(Verdict&, const std::shared_ptr<const model::Model>&)>;

  struct Parts {
    Judges& judges;
    Journal* journal;        // may be null
    Iterations* iterations;  // may be null
    base::Log& log;
    const base::Stop& stop;
    TrialCounts& counts;
    Classify classify;
    RepeatRule rule;  // how often a candidate is run, and what the runs together say
    ExploreLimits limits;
  };
  explicit Explorer(Parts parts);
  // Cancels what still runs; what had ended is in the journal.
  ~Explorer();
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  // Runs a search to its end. `stage`: candidates of equal selections are equal within a stage. Limits do not hold for
  // further runs. Errors: of building and of judging; interrupted.
  base::Expected<ExploreEnd> run(Strategy& strategy, const Build& build, int stage, const Outlook& outlook = {});

  struct Judged {
    std::shared_ptr<const model::Model> model;
    std::int64_t nodes = 0;  // those in bodies, too (count_nodes.h)
    Verdict verdict{};
  };
  // The failing candidate of the fewest nodes, the latest of several; a null model where nothing failed.
  [[nodiscard]] const Judged& best() const { return best_; }
  // Sets the best candidate aside, because it doesn't fail again, and goes back to the one before it. Returns false,
  // and changes nothing, if none is known.
  bool drop_best();
  // A passing one of about that size; a null model where there is none.
  [[nodiscard]] Judged nearest_passing() const;
  [[nodiscard]] const std::vector<PassCounts>& passes() const { return passes_; }

  // Takes effect for candidates that are judged from now on.
  void count_constants(Constants constants) { constants_ = constants; }

  // From now on. What passed by the rule before is judged anew, with the runs that there are.
  void set_rule(RepeatRule rule);

 private:
  struct Known {  // of a candidate, by its hash
    std::vector<std::optional<Verdict>> runs{};
    std::map<int, Verdict> further_runs{};
    std::optional<Verdict> verdict{};  // all runs together, classified
    bool asked = false;                // for by a search; else only looked ahead at, or made by an earlier process
  };
  struct Run {
    std::string hash;
    std::size_t number = 0;
    std::optional<int> further = {};
    friend auto operator<=>(const Run&, const Run&) = default;
  };
  struct Built {
    std::string hash;
    std::shared_ptr<const model::Model> model;  // null where only the hash was wanted, and it is known
    std::int64_t nodes = 0;                     // as in Judged; counted for what is judged
  };
  struct Wanted {
    Run run;
    Draft draft;
    std::shared_ptr<const model::Model> model;
  };
  struct Search {  // what is needed to look ahead of it
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
  // Without the model where it is not needed: its verdict is known, or on its way.
  base::Expected<Built> build_ahead(const Draft& draft, const Build& build);
  base::Expected<Verdict> judge(const Proposal& proposal, const Built& built, const Search& search);
  base::Expected<Verdict> check(const Proposal& proposal, const Built& built, const Search& search);
  // What the runs that are known say together; absent where more are needed.
  std::optional<Verdict> settle(const std::string& hash);
  void recall(const std::string& hash);
  // What is known of a candidate, or of that further run of it.
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
  void count(const Verdict& verdict);
  [[nodiscard]] std::string progress() const;
  void remember(const Proposal& proposal, const Verdict& verdict, const Built& built);
  void keep_passing(const Judged& judged);
  void keep_earlier(Judged judged);
  PassCounts& counts_of(std::string_view pass);

  Parts parts_;
  std::map<std::string, Known> known_;
  std::unordered_map<std::string, std::string> hashes_;  // of this stage, by key of a selection
  std::map<Judges::Ticket, Running> running_;
  std::vector<PassCounts> passes_;
  Judged best_;
  std::vector<Judged> earlier_;  // were the best before, the latest last; not all
  std::vector<Judged> passing_;  // the smallest few
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  Constants constants_ = Constants::as_values;  // how nodes are counted
  int stage_ = 0;
  int iteration_ = 0;
};

}  // namespace assay::reduce
