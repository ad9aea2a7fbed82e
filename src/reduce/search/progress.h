// The progress of a reduction, for people: the log of its checks, and counts for each pass.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "reduce/search/best_models.h"
#include "reduce/search/strategy.h"
#include "reduce/search/trial_counts.h"

namespace assay::reduce {

// Counts for one pass or phase over the whole reduction.
struct PassCounts {
  std::string pass;
  int checks = 0;  // that it was the first to ask for
  int failing = 0;
  std::int64_t nodes_removed = 0;
};

class Progress {
 public:
  // Both must outlive this object.
  Progress(base::Log& log, TrialCounts& counts) : log_(log), counts_(counts) {}

  // A search asks for a candidate of so many nodes.
  void begin(const Proposal& proposal, std::int64_t nodes);
  // Its verdict. `removed`: the number of nodes by which the best model got smaller. `best`: afterwards.
  void end(const Proposal& proposal, const Verdict& verdict, std::int64_t removed, const Judged& best);
  // The verdict of a further run.
  void end_further(const Verdict& verdict) { counts_.add(verdict); }

  [[nodiscard]] const TrialCounts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<PassCounts>& passes() const { return passes_; }

 private:
  PassCounts& counts_of(std::string_view pass);
  [[nodiscard]] std::string so_far() const;

  base::Log& log_;
  TrialCounts& counts_;
  std::vector<PassCounts> passes_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace assay::reduce
