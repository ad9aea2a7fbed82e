// The page of `assay debug reduce`: its questions and answers, the history of the checks, and the minimal case.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "reduce/judge/failure_filter.h"
#include "reduce/reduce_model.h"
#include "report/page/page.h"

namespace assay::pages {

// Records the checks of a reduction while it runs.
class ReductionHistory {
 public:
  // See reduce::ShowProgress. Calls may come from one thread at a time.
  void add(const reduce::Progress& progress);

  // The checks whose verdicts the search used, in that order, those of an earlier run first.
  [[nodiscard]] const std::vector<report::PageCheck>& checks() const { return checks_; }
  // The candidates without one node of the smallest failing model, as far as they were judged.
  [[nodiscard]] const report::PageTable& removals() const { return removals_; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<report::PageCheck> checks_;
  report::PageTable removals_{.title = "Candidates without one of the nodes", .columns = {"Tried", "Verdict"}};
};

struct ReductionFacts {
  const reduce::Reduction& reduction;
  const ReductionHistory& history;
  std::vector<reduce::OtherFailure> others{};  // different failures of candidates
  std::string file{};                          // of the result; empty if it isn't saved
  std::vector<std::string> commands{};         // that judge that file
  bool stopped = false;                        // by the user
};

// Returns the page without title, command line and environment.
report::Page reduction_page(const ReductionFacts& facts);

// Says how minimal the result is, claiming no more than was tried: each way in which a reduction can end has its own
// sentence. May be empty.
std::string how_it_ended(const reduce::Reduction& reduction);

}  // namespace assay::pages
