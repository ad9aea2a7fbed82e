// The journal keeps each run under a key of its own: the hash alone for the first run, and the hash with a suffix for
// the others, so that journals of reductions that run each candidate once need no suffixes.
#include "reduce/explore/known_candidates.h"

#include <utility>

#include "reduce/judge/repeat_judge.h"

namespace assay::reduce {
namespace {

std::string journal_key(const CandidateRun& run) {
  if (run.further) return run.hash + "#further " + std::to_string(*run.further);
  return run.number == 0 ? run.hash : run.hash + "#" + std::to_string(run.number);
}

}  // namespace

KnownCandidates::KnownCandidates(Journal* journal, Iterations* iterations, FailureFilter* filter, RepeatRule rule)
    : journal_(journal), iterations_(iterations), filter_(filter), rule_(rule) {}

void KnownCandidates::recall(const std::string& hash, Known& known) {
  if (journal_ == nullptr) return;
  for (std::size_t run = known.runs.size(); run < static_cast<std::size_t>(rule_.repeat); ++run) {
    known.runs.push_back(journal_->find(journal_key({.hash = hash, .number = run})));
    known.is_other.reset();
  }
}

// Comparing failures takes time, and looking ahead asks for the same verdicts again and again.
bool KnownCandidates::is_other(Known& known, const Verdict& verdict) const {
  if (!known.is_other && filter_ != nullptr) known.is_other = filter_->is_other(verdict);
  return known.is_other.value_or(false);
}

std::optional<Verdict> KnownCandidates::find(const std::string& hash) {
  if (hash == kNoCandidate) return Verdict{.kind = Verdict::Kind::unresolved, .text = {}};
  Known& known = known_[hash];
  if (known.final) return known.final;
  std::optional<Verdict> verdict = unclassified(hash, {});
  if (verdict && verdict->kind == Verdict::Kind::fails && is_other(known, *verdict)) {
    verdict->kind = Verdict::Kind::unresolved;
  }
  return verdict;
}

std::optional<Verdict> KnownCandidates::unclassified(const std::string& hash, std::optional<int> further_run) {
  if (further_run) return find_further(hash, *further_run);
  Known& known = known_[hash];
  recall(hash, known);
  Runs runs(rule_);
  for (const std::optional<Verdict>& run : known.runs) {
    if (!run) break;
    runs.add(*run);
    if (std::optional<Verdict> verdict = runs.verdict()) return verdict;
  }
  return std::nullopt;
}

std::optional<Verdict> KnownCandidates::find_further(const std::string& hash, int number) {
  std::map<int, Verdict>& runs = known_[hash].further_runs;
  if (const auto at = runs.find(number); at != runs.end()) return at->second;
  if (journal_ == nullptr) return std::nullopt;
  std::optional<Verdict> verdict = journal_->find(journal_key({.hash = hash, .further = number}));
  if (verdict) runs.emplace(number, *verdict);
  return verdict;
}

std::optional<Verdict> KnownCandidates::answer(const std::string& hash, std::optional<int> further_run) {
  if (further_run && hash != kNoCandidate) return find_further(hash, *further_run);
  std::optional<Verdict> verdict = find(hash);
  if (verdict) verdict->known = final(hash) != nullptr;
  return verdict;
}

std::vector<CandidateRun> KnownCandidates::missing_runs(const std::string& hash,
                                                        std::optional<std::size_t> runs) const {
  const auto at = known_.find(hash);
  std::vector<CandidateRun> missing;
  for (std::size_t run = 0; run < runs.value_or(static_cast<std::size_t>(rule_.repeat)); ++run) {
    const bool is_known = at != known_.end() && run < at->second.runs.size() && at->second.runs[run];
    if (!is_known) missing.push_back({.hash = hash, .number = run});
  }
  return missing;
}

base::Status KnownCandidates::record(const CandidateRun& run, Verdict verdict) {
  if (journal_ != nullptr) ASSAY_TRY(journal_->record(journal_key(run), verdict));
  Known& known = known_[run.hash];
  if (run.further) {
    known.further_runs.emplace(*run.further, std::move(verdict));
    return {};
  }
  if (known.runs.size() <= run.number) known.runs.resize(run.number + 1);
  known.runs[run.number] = std::move(verdict);
  known.is_other.reset();
  return {};
}

// The verdict may come from the replay file, without a run. Runs are counted without gaps.
void KnownCandidates::count_further(const std::string& hash, int first, int count) {
  Known& known = known_[hash];
  std::erase_if(known.runs, [](const std::optional<Verdict>& run) { return !run; });
  for (int number = first; number < first + count; ++number) {
    if (std::optional<Verdict> run = find_further(hash, number)) known.runs.push_back(std::move(run));
  }
  known.is_other.reset();
}

bool KnownCandidates::ask(const std::string& hash) {
  Known& known = known_[hash];
  known.asked = true;
  return !known.final;
}

bool KnownCandidates::was_asked(const std::string& hash) const {
  const auto at = known_.find(hash);
  return at != known_.end() && at->second.asked;
}

const Verdict* KnownCandidates::final(const std::string& hash) const {
  const auto at = known_.find(hash);
  return at != known_.end() && at->second.final ? &*at->second.final : nullptr;
}

// A candidate whose verdict is known takes an iteration number, too: the numbers in a replay file must depend neither
// on the journal nor on the number of slots. The replay file gets the classified verdict, since a different failure
// isn't the one under investigation.
base::Expected<Verdict> KnownCandidates::conclude(const std::string& hash, const SharedModel& model,
                                                  const std::optional<Iteration>& iteration, const FindVerdict& check) {
  const Iteration number = iteration.value_or(Iteration{.number = iteration_, .phase = "minimal"});
  iteration_ += iteration ? 0 : 1;
  const int nodes = model->graph().node_size();
  std::optional<Verdict> verdict = unclassified(hash, {});
  if (verdict) {
    this->classify(*verdict, model);
    note(number, *model, *verdict);
  } else {
    const auto classified = [&]() -> base::Expected<Verdict> {
      ASSAY_ASSIGN(Verdict one, check());
      this->classify(one, model);
      return one;
    };
    ASSAY_ASSIGN(verdict, iterations_ != nullptr ? iterations_->run(number, nodes, classified) : classified());
  }
  known_[hash].final = verdict;
  return *std::move(verdict);
}

// The number is used up even if the run is known: later numbers mustn't depend on the journal.
base::Expected<Verdict> KnownCandidates::run_further(const std::string& hash, const SharedModel& model, int number,
                                                     const FindVerdict& check) {
  const auto classified = [&]() -> base::Expected<Verdict> {
    ASSAY_ASSIGN(Verdict verdict, check());
    if (verdict.kind == Verdict::Kind::fails) this->classify(verdict, model);
    return verdict;
  };
  if (!find_further(hash, number)) return run_unsaved(classified);
  ++iteration_;
  return classified();
}

base::Expected<Verdict> KnownCandidates::run_unsaved(const FindVerdict& check) {
  const Iteration iteration{.number = iteration_++, .phase = "again"};
  return iterations_ != nullptr ? iterations_->run_unsaved(iteration, check) : check();
}

void KnownCandidates::note(const Iteration& iteration, const model::Model& model, const Verdict& verdict) {
  if (iterations_ != nullptr) iterations_->note(iteration, model.graph().node_size(), verdict);
}

void KnownCandidates::withdraw(const std::string& hash) {
  Known& known = known_[hash];
  known.final = Verdict{.kind = Verdict::Kind::unresolved, .text = "failed once, then passed every further run"};
  known.withdrawn = true;
}

void KnownCandidates::classify(Verdict& verdict, const SharedModel& model) const {
  if (filter_ != nullptr && verdict.kind != Verdict::Kind::unresolved) filter_->classify(verdict, model);
}

void KnownCandidates::set_rule(RepeatRule rule) {
  rule_ = rule;
  for (auto& [hash, known] : known_) {
    if (known.final && known.final->kind != Verdict::Kind::fails && !known.withdrawn) known.final.reset();
  }
}

base::Status KnownCandidates::save_iterations() {
  return iterations_ != nullptr ? iterations_->save() : base::Status{};
}

}  // namespace assay::reduce
