// For tests of explorers.
#pragma once

#include "base/log.h"
#include "base/stop.h"
#include "reduce/explore/explorer.h"

namespace assay::reduce::test {

// No journal and no iterations; nothing is logged, and no stop is requested. `judges` and `counts` must outlive it.
inline Explorer::Parts bare_explorer_parts(Judges& judges, TrialCounts& counts, ExploreLimits limits = {}) {
  static base::SilentLog log;
  static const base::Stop stop;
  return {.judges = judges,
          .journal = nullptr,
          .iterations = nullptr,
          .log = log,
          .stop = stop,
          .counts = counts,
          .classify = [](Verdict&, const auto&) {},
          .rule = {},
          .limits = limits};
}

}  // namespace assay::reduce::test
