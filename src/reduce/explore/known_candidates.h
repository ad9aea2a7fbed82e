// Holds the verdicts on candidates that are known so far, from this process, the journal and the replay file.
//
// Candidates are identified by a hash of their content, so different drafts that build the same model share a verdict.
// A verdict is made of one or more runs of the check, each of which is stored in the journal before it is used.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/explore/strategy.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/judge/repeat_rule.h"
#include "reduce/verdicts/iterations.h"
#include "reduce/verdicts/journal.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

// One run of the check on a candidate.
struct CandidateRun {
  std::string hash;                 // of the candidate
  std::size_t number = 0;           // among the runs that make the candidate's verdict
  std::optional<int> further = {};  // if set, it is a run with a verdict of its own: Proposal::further_run
  friend auto operator<=>(const CandidateRun&, const CandidateRun&) = default;
};

// Stands for the hash if there is no candidate to judge. Its verdict is always unresolved.
inline const std::string kNoCandidate;

class KnownCandidates {
 public:
  // The pointers may be null; without a filter, every failure counts. What they point to must outlive this object.
  // `rule`: how often each candidate is run, and how the runs are combined.
  KnownCandidates(Journal* journal, Iterations* iterations, FailureFilter* filter, RepeatRule rule);

  // Returns the final verdict, or else the combined one of the known runs, unresolved if it is of another failure;
  // nothing if more runs are needed.
  std::optional<Verdict> find(const std::string& hash);
  // Returns the combined verdict of the known runs, or that of a further run, as the check gave it; nothing if more
  // runs are needed.
  std::optional<Verdict> unclassified(const std::string& hash, std::optional<int> further_run);
  // Returns the verdict of a further run.
  std::optional<Verdict> find_further(const std::string& hash, int number);
  // Returns find() or, of a further run, find_further(): what a search will probably get. Nothing if it has to wait for
  // more runs.
  std::optional<Verdict> answer(const std::string& hash, std::optional<int> further_run);
  // Returns which of the first `runs` runs have no verdict yet; by default of all that the rule allows.
  [[nodiscard]] std::vector<CandidateRun> missing_runs(const std::string& hash,
                                                       std::optional<std::size_t> runs = {}) const;
  // Stores the verdict of a run, in the journal first. Errors: those of the journal.
  base::Status record(const CandidateRun& run, Verdict verdict);
  // Lets `count` further runs from number `first` on count among the runs that make the candidate's verdict.
  void count_further(const std::string& hash, int first, int count);

  // Records that a search asks for this candidate. Returns true if it has no final verdict, because no search has asked
  // before or set_rule() has reset it.
  bool ask(const std::string& hash);
  // Returns whether a search has ever asked for this candidate.
  [[nodiscard]] bool was_asked(const std::string& hash) const;

  // Returns the final verdict, or null if conclude() wasn't called for the candidate or set_rule() has reset it.
  [[nodiscard]] const Verdict* final(const std::string& hash) const;
  // Determines the final verdict, from the first source that has one: the known runs, the replay file, `check`. It is
  // classified, and noted as an iteration: `iteration`, or else the next number. Errors: those of `check` and
  // Iterations::run.
  base::Expected<Verdict> conclude(const std::string& hash, const SharedModel& model,
                                   const std::optional<Iteration>& iteration, const FindVerdict& check);
  // Returns the verdict of a further run, classified. `check` returns it, also if it is known. The run gets the next
  // iteration number, but isn't in the replay file. Errors: those of `check` and Iterations::run_unsaved.
  base::Expected<Verdict> run_further(const std::string& hash, const SharedModel& model, int number,
                                      const FindVerdict& check);
  // Likewise for a check of something else than a candidate.
  base::Expected<Verdict> run_unsaved(const FindVerdict& check);
  // Adds an iteration to the replay file whose verdict is that of an earlier one.
  void note(const Iteration& iteration, const model::Model& model, const Verdict& verdict);
  // Turns a failure into an unresolved verdict for good, because the candidate doesn't fail again.
  void withdraw(const std::string& hash);

  // Takes effect immediately. Candidates that didn't fail under the old rule are judged again, starting from the runs
  // already recorded, unless they were withdrawn.
  void set_rule(RepeatRule rule);
  base::Status save_iterations();

 private:
  struct Known {
    std::vector<std::optional<Verdict>> runs{};
    std::map<int, Verdict> further_runs{};
    std::optional<Verdict> final{};  // all runs together, classified
    std::optional<bool> is_other{};  // the verdict of the runs, if it fails; absent if it wasn't examined
    bool withdrawn = false;          // see withdraw(); no rule changes that
    bool asked = false;              // by a search; otherwise only looked ahead at, or from an earlier process
  };
  void recall(const std::string& hash, Known& known);
  // Lets the filter classify the verdict unless it is unresolved.
  void classify(Verdict& verdict, const SharedModel& model) const;
  [[nodiscard]] bool is_other(Known& known, const Verdict& verdict) const;

  Journal* journal_;
  Iterations* iterations_;
  FailureFilter* filter_;
  RepeatRule rule_;
  std::map<std::string, Known> known_;  // by hash
  int iteration_ = 0;                   // of those that searches don't number themselves
};

}  // namespace assay::reduce
