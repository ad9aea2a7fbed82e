// Reports how a reduction progresses: in the log of its checks, to a live display, and in counts for each pass.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "reduce/explore/best_models.h"
#include "reduce/explore/progress.h"
#include "reduce/explore/strategy.h"
#include "reduce/explore/trial_counts.h"

namespace assay::reduce {

// Counts for one pass or phase over the whole reduction.
struct PassCounts {
  std::string pass;
  int checks = 0;  // that it was the first to ask for, and its further runs
  int failing = 0;
  std::int64_t nodes_removed = 0;
};

class ProgressLog {
 public:
  // The progress that a verdict has brought.
  struct Gain {
    std::int64_t nodes_removed = 0;  // by which the best model got smaller
    bool is_smaller = false;         // the candidate is the best model now: the first that fails, or a smaller one
  };

  // The log must outlive this object.
  ProgressLog(base::Log& log, ShowProgress show) : log_(log), show_(std::move(show)) {}

  // To be called when a search asks for a candidate, which has this many nodes.
  void begin(const Proposal& proposal, std::int64_t nodes, const Judged& best);
  // To be called with its verdict. `best`: the best model after the verdict.
  void end(const Proposal& proposal, const Judged& judged, Gain gain, const Judged& best);
  // To be called with the verdict of a further run (Proposal::further_run), which the display doesn't show.
  void end_further(const Proposal& proposal, const Verdict& verdict) { count(proposal.pass, verdict); }
  // Counts a check that belongs to no pass.
  void count(const Verdict& verdict) { counts_.add(verdict); }

  [[nodiscard]] const TrialCounts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<PassCounts>& passes() const { return passes_; }

 private:
  PassCounts& counts_of(std::string_view pass);
  // Adds a check to all counts.
  void count(std::string_view pass, const Verdict& verdict);
  void show(std::string_view pass, bool is_smaller, const Judged& best,
            const std::optional<Progress::Ended>& ended) const;
  [[nodiscard]] std::string so_far() const;

  base::Log& log_;
  TrialCounts counts_;
  ShowProgress show_;
  std::vector<PassCounts> passes_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace assay::reduce
