// One thread drives everything. To get a verdict, the explorer lists the checks that it wants, the most useful first,
// starts as many as there are slots, waits for one to end, and lists them again.
#include "reduce/explore/explorer.h"

#include <utility>

#include "reduce/verdicts/candidate_hash.h"

namespace assay::reduce {
namespace {

base::Status unless_stopped(const base::Stop& stop) {
  if (stop.requested()) return base::fail(base::ErrorKind::interrupted, "stopped");
  return {};
}

}  // namespace

Explorer::Explorer(const ExploreParts& parts, RepeatRule rule, const ExploreLimits& limits)
    : stop_(parts.stop),
      limits_(limits),
      known_(parts.journal, parts.iterations, parts.filter, rule),
      running_(parts.judges),
      progress_(parts.log, parts.show_progress) {}

Explorer::~Explorer() {
  static_cast<void>(stop_checks());
}

base::Expected<LimitReached> Explorer::run(Strategy& strategy, const Build& build, const Outlook& outlook) {
  base::Expected<LimitReached> limit = search(strategy, build, outlook);
  base::Status saved = known_.save_iterations();
  if (limit && !saved) return base::fail(std::move(saved).error());
  return limit;
}

base::Expected<LimitReached> Explorer::search(Strategy& strategy, const Build& build, const Outlook& outlook) {
  ++search_;
  hashes_.clear();
  untold_.clear();
  LookAhead look_ahead(strategy, build, outlook, known_, hashes_, running_);
  while (const std::optional<Proposal> proposal = strategy.next()) {
    ASSAY_TRY(unless_stopped(stop_));
    const bool is_further = proposal->further_run.has_value();
    if (!is_further && best().model && limits_.until_nodes && best().nodes <= *limits_.until_nodes) {
      return LimitReached::few_nodes;
    }
    ASSAY_ASSIGN(Built built, hashes_.build(proposal->draft, build));
    ASSAY_TRY(unless_stopped(stop_));  // the candidate may lack values that an engine was computing
    if (!built.model) {
      strategy.learn({.kind = Verdict::Kind::unresolved, .text = {}});
      continue;
    }
    if (is_further) {
      ASSAY_ASSIGN(const Verdict verdict, known_.run_further(built.hash, built.model, *proposal->further_run,
                                                             [&] { return check(*proposal, built, look_ahead); }));
      progress_.end_further(*proposal, verdict);
      strategy.learn(verdict);
      continue;
    }
    built.nodes = count_all_nodes(*built.model, constants_);
    const bool is_new = known_.ask(built.hash);
    if (is_new && limits_.max_checks && counts().asked() >= *limits_.max_checks) return LimitReached::checks;
    ASSAY_ASSIGN(Verdict verdict, judge(*proposal, built, look_ahead));
    verdict.known = !is_new;
    outlook.scouting.learn(proposal->draft, verdict);
    remember(*proposal, verdict, built);
    tell(outlook.scouting);
    strategy.learn(verdict);
  }
  return LimitReached::none;
}

base::Expected<Verdict> Explorer::judge(const Proposal& proposal, const Built& built, LookAhead& look_ahead) {
  if (const Verdict* verdict = known_.final(built.hash)) {
    if (proposal.iteration) known_.note(*proposal.iteration, *built.model, *verdict);
    return *verdict;
  }
  progress_.begin(proposal, built.nodes, best());
  return known_.conclude(built.hash, built.model, proposal.iteration,
                         [&] { return check(proposal, built, look_ahead); });
}

base::Expected<Verdict> Explorer::check(const Proposal& proposal, const Built& built, LookAhead& look_ahead) {
  for (;;) {
    std::optional<Verdict> verdict = known_.unclassified(built.hash, proposal.further_run);
    if (verdict) return *std::move(verdict);
    ASSAY_ASSIGN(const std::vector<WantedCheck> wanted, look_ahead.wanted(proposal, built));
    ASSAY_TRY(record(running_.start(wanted, search_), look_ahead.scouting()));
    ASSAY_TRY(record(running_.wait(), look_ahead.scouting()));
  }
}

base::Status Explorer::record(std::vector<RunningChecks::Ended> ended, const Scouting& scouting) {
  base::Status status;
  for (RunningChecks::Ended& one : ended) {
    base::Status recorded = one.verdict ? known_.record(one.run, *std::move(one.verdict))
                                        : base::Status(base::fail(std::move(one.verdict).error()));
    if (!recorded) {
      if (status) status = std::move(recorded);
      continue;
    }
    if (scouting.scouts == nullptr || one.run.further || one.search != search_) continue;
    untold_.emplace_back(std::move(one.draft), std::move(one.run.hash));
  }
  tell(scouting);
  return status;
}

void Explorer::tell(const Scouting& scouting) {
  for (auto& [draft, hash] : std::exchange(untold_, {})) {
    const std::optional<Verdict> verdict = known_.find(hash);
    if (!verdict) continue;  // until another run has ended
    if (verdict->kind == Verdict::Kind::fails && !best().model) {
      untold_.emplace_back(std::move(draft), std::move(hash));
    } else {
      scouting.learn(draft, *verdict);
    }
  }
}

void Explorer::remember(const Proposal& proposal, const Verdict& verdict, const Built& built) {
  const Judged judged{.model = built.model, .nodes = built.nodes, .verdict = verdict};
  ProgressLog::Gain gain;
  if (verdict.kind == Verdict::Kind::fails) {
    gain.is_smaller = !best().model || built.nodes < best().nodes;
    gain.nodes_removed = models_.add_failing(judged);
  }
  if (verdict.kind == Verdict::Kind::passes) models_.add_passing(judged);
  progress_.end(proposal, judged, gain, best());
}

base::Expected<Verdict> Explorer::run_unsaved(const FindVerdict& judge) {
  ASSAY_ASSIGN(Verdict verdict, known_.run_unsaved(judge));
  progress_.count(verdict);
  return verdict;
}

int Explorer::count_ahead() const {
  int count = 0;
  for (const auto& [hash, checks] : running_.started()) count += known_.was_asked(hash) ? 0 : checks;
  return count;
}

void Explorer::count_further(const model::Model& model, int first, int count) {
  known_.count_further(candidate_hash(model), first, count);
}

bool Explorer::drop_best() {
  const SharedModel dropped = best().model;
  if (!models_.drop_best()) return false;
  known_.withdraw(candidate_hash(*dropped));
  return true;
}

}  // namespace assay::reduce
