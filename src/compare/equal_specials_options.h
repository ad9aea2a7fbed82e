// The options of `assay run` that set both members of CompareOptions::equal. Commands that Assay suggests have them,
// since its searches judge so.
#pragma once

#include <array>

namespace assay::compare {

inline constexpr std::array kEqualSpecialsOptions = {"--infinities-compare-equal", "--nans-compare-equal"};

}  // namespace assay::compare
