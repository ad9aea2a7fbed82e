// Says which option makes equal values pass that aren't finite.
#pragma once

#include <string>

#include "stats/equal_specials.h"

namespace assay::compare {

// Returns "infinity on both sides, which passes with --infinities-compare-equal". `found`: which values are equal on
// both sides; at least one of them.
std::string describe_equal_specials(stats::EqualSpecials found);

}  // namespace assay::compare
