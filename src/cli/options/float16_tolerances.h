// The tolerances of commands that compare float16 with float32, unless others are given.
#pragma once

#include "compare/compare_options.h"

namespace assay::cli {

// Float16 numbers have 11 bits, so each node rounds by up to 5e-4 relative to the value. The sum of a few such errors
// is expected; overflow and lost digits are far larger.
inline constexpr double kFloat16Tolerance = 1e-2;
inline constexpr const char* kFloat16ToleranceWord = "0.01";

inline compare::CompareOptions float16_tolerances() {
  compare::CompareOptions options;
  options.set(compare::kRelativeTolerance, kFloat16Tolerance);
  options.set(compare::kAbsoluteTolerance, kFloat16Tolerance);
  return options;
}

}  // namespace assay::cli
