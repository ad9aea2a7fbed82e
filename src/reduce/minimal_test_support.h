// For the tests of minimal mode: what a reduction needs around it, where a test looks at none of that.
#pragma once

#include "reduce/reduce_model.h"

namespace assay::reduce::test {

// No journal, no iterations and no values; nothing is logged, and no stop is requested.
inline ReduceParts bare_parts(Judges& judges) {
  static base::SilentLog log;
  static const base::Stop stop;
  return {.judges = judges,
          .journal = nullptr,
          .iterations = nullptr,
          .log = log,
          .stop = stop,
          .classify = [](Verdict&, const auto&) {},
          .reference = {},
          .judge_file = {},
          .values = {}};
}

}  // namespace assay::reduce::test
