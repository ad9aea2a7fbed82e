// The options of `assay run` with which infinities of the same sign, and two NaNs, are equal:
// CompareOptions::infinities_equal and nans_equal. Commands that Assay suggests have both, since its searches judge so.
#pragma once

#include <array>

namespace assay::compare {

inline constexpr std::array kEqualSpecials = {"--infinities-compare-equal", "--nans-compare-equal"};

}  // namespace assay::compare
