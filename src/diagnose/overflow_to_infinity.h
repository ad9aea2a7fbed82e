#pragma once

#include <set>
#include <string>

#include "model/model.h"

namespace assay::diagnose {

inline constexpr double kLargestFloat16 = 65504;

// Adds nodes that turn values of these tensors into infinity, with their sign, if they are too large for float16. The
// nodes are for the float64 run, in which all floats are float64. Only tensors that nodes of the main graph compute are
// changed.
void overflow_to_infinity(model::Model& model, const std::set<std::string>& tensors);

}  // namespace assay::diagnose
