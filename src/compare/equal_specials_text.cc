#include "compare/equal_specials_text.h"

namespace assay::compare {

std::string describe_equal_specials(stats::EqualSpecials found) {
  if (!found.infinities) return "NaN on both sides, which passes with --nans-compare-equal";
  if (!found.nans) return "infinity on both sides, which passes with --infinities-compare-equal";
  return "NaN or infinity on both sides, which passes with --nans-compare-equal --infinities-compare-equal";
}

}  // namespace assay::compare
