// What a search has cost so far, and the limit that ends it.
#pragma once

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/log.h"

namespace assay::locate {

// A run is one inference of each side, so two inferences if an engine is compared with itself.
struct Ledger {
  int limit = 0;  // limit of runs
  int runs = 0;
  int sessions = 0;         // models loaded
  int opened = 0;           // pairs of sessions
  double open_seconds = 0;  // time spent loading models
  double run_seconds = 0;   // time spent in runs
  bool stopped = false;     // the user has stopped the search

  // Returns how many more runs are allowed.
  [[nodiscard]] int left() const { return stopped ? 0 : limit - runs; }
  // Logs the number of the run that follows, and what it runs.
  void announce_run(const std::string& what, base::Log& log) const;
  // Returns true if the error is that the user has stopped the search. Then no runs are left, so that the search ends
  // with what is known.
  bool note_if_stopped(const base::Error& error);
  // Returns the time of a check that loads both sides and runs them once, as measured so far.
  [[nodiscard]] double check_seconds() const {
    return open_seconds / std::max(opened, 1) + run_seconds / std::max(runs, 1);
  }
};

}  // namespace assay::locate
