// A branch is a copy of a search and the probability that the search itself will reach that state. A branch whose next
// candidate has no verdict yet splits in two: one that assumes that the candidate fails, one that it passes.
#include "reduce/explore/look_ahead.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "reduce/explore/node_sets.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kLooksPerSlot = 16;  // branches that are examined per slot
constexpr double kUnlikely = 0.002;        // a candidate that is less likely to be asked for isn't worth a check
constexpr double kWorthFollowing = 0.2;    // creating the next search is expensive, so it must be more probable

const edit::Selection* selection_of(const Draft& draft) {
  const auto* selection = std::get_if<std::shared_ptr<const edit::Selection>>(&draft);
  return selection != nullptr ? selection->get() : nullptr;
}

}  // namespace

struct LookAhead::Branch {
  double probability;
  std::size_t age;
  std::shared_ptr<Strategy> strategy;
  std::size_t follows = 0;  // 0: a copy of the search itself; n: of the n-th search after it
  bool operator<(const Branch& other) const {
    return probability != other.probability ? probability < other.probability : age > other.age;
  }
};

// The branches still to be explored, the most probable first; among equally probable ones, the oldest.
class LookAhead::Branches {
 public:
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  void add(double probability, std::shared_ptr<Strategy> strategy, std::size_t follows) {
    queue_.push({.probability = probability, .age = age_++, .strategy = std::move(strategy), .follows = follows});
  }
  Branch take_best() {
    Branch best = queue_.top();
    queue_.pop();
    return best;
  }

 private:
  std::priority_queue<Branch> queue_;
  std::size_t age_ = 0;
};

void Scouting::learn(const Draft& draft, const Verdict& verdict) const {
  const edit::Selection* selection = selection_of(draft);
  if (scouts != nullptr && selection != nullptr) scouts->learn(selection->nodes, verdict.kind);
}

namespace {

// Returns the runs of a candidate that the search waits for, or the first of them.
std::vector<CandidateRun> runs_of(const Proposal& proposal, const Built& built, const KnownCandidates& known,
                                  std::optional<std::size_t> first = {}) {
  if (proposal.further_run) return {CandidateRun{.hash = built.hash, .further = proposal.further_run}};
  return known.missing_runs(built.hash, first);
}

}  // namespace

base::Expected<std::vector<WantedCheck>> LookAhead::wanted(const Proposal& proposal, const Built& now) {
  Wanted wanted;
  now_ = now;
  add(runs_of(proposal, now, known_), proposal.draft, now, wanted);
  if (outlook_.scouting.scouts != nullptr) ASSAY_TRY(ask_scouts(wanted));
  if (!is_full(wanted)) ASSAY_TRY(explore(wanted));
  return wanted;
}

void LookAhead::add(const std::vector<CandidateRun>& runs, const Draft& draft, const Built& built,
                    Wanted& wanted) const {
  for (const CandidateRun& run : runs) {
    const bool is_listed = std::ranges::find(wanted, run, &WantedCheck::run) != wanted.end();
    if (!is_full(wanted) && !is_listed) wanted.push_back({run, draft, built.model});
  }
}

base::Expected<std::optional<Built>> LookAhead::build(const Draft& draft) {
  if (outlook_.takes_long && !hashes_.has(draft) && outlook_.takes_long(draft)) return std::nullopt;
  ASSAY_ASSIGN(Built built, hashes_.hash(draft, build_));
  if (built.hash == now_.hash) return now_;
  if (built.model || built.hash == kNoCandidate || known_.find(built.hash) || running_.has(built.hash)) return built;
  return hashes_.build(draft, build_);
}

base::Status LookAhead::ask_scouts(Wanted& wanted) {
  const auto& [scouts, subject] = outlook_.scouting;
  for (Nodes& nodes : scouts->wanted()) {
    if (is_full(wanted)) break;  // building the others would be in vain
    const Draft draft = std::make_shared<const edit::Selection>(select(*subject, std::move(nodes)));
    ASSAY_ASSIGN(const std::optional<Built> built, build(draft));
    if (!built) continue;
    if (const std::optional<Verdict> verdict = known_.find(built->hash)) {
      outlook_.scouting.learn(draft, *verdict);
    } else {
      add(known_.missing_runs(built->hash, 1), draft, *built, wanted);
    }
  }
  return {};
}

base::Status LookAhead::explore(Wanted& wanted) {
  Branches branches;
  branches.add(1, strategy_.clone(), 0);
  for (std::size_t looks = running_.slots() * kLooksPerSlot; looks > 0 && !branches.empty() && !is_full(wanted);
       --looks) {
    const Branch branch = branches.take_best();
    if (branch.probability < kUnlikely) break;
    ASSAY_TRY(explore(branch, branches, wanted));
  }
  return {};
}

base::Status LookAhead::explore(const Branch& branch, Branches& branches, Wanted& wanted) {
  const std::optional<Proposal> proposal = branch.strategy->next();
  if (!proposal) {
    if (branch.follows == outlook_.then.size() || branch.probability < kWorthFollowing) return {};
    std::shared_ptr<Strategy> next = outlook_.then[branch.follows](*branch.strategy);
    if (next) branches.add(branch.probability, std::move(next), branch.follows + 1);
    return {};
  }
  ASSAY_ASSIGN(const std::optional<Built> built, build(proposal->draft));
  if (const auto verdict = built ? known_.answer(built->hash, proposal->further_run) : std::nullopt) {
    branch.strategy->learn(*verdict);
    branches.add(branch.probability, branch.strategy, branch.follows);
    return {};
  }
  if (built) add(runs_of(*proposal, *built, known_, 1), proposal->draft, *built, wanted);
  const double chance = chance_to_fail(*proposal);
  for (const bool fails : {true, false}) {
    std::shared_ptr<Strategy> next = branch.strategy->clone();
    next->learn({.kind = fails ? Verdict::Kind::fails : Verdict::Kind::passes, .text = {}});
    branches.add(branch.probability * (fails ? chance : 1 - chance), std::move(next), branch.follows);
  }
  return {};
}

double LookAhead::chance_to_fail(const Proposal& proposal) const {
  const Scouts* scouts = outlook_.scouting.scouts;
  const edit::Selection* selection = selection_of(proposal.draft);
  if (scouts == nullptr || selection == nullptr) return proposal.chance_to_fail;
  return scouts->chance_to_fail(selection->nodes).value_or(proposal.chance_to_fail);
}

}  // namespace assay::reduce
