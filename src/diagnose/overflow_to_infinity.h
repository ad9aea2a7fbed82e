#pragma once

#include <set>
#include <string>

#include "model/model.h"

namespace assay::diagnose {

// Adds nodes that turn values of these tensors into infinity, with their sign, if float16 rounds them to infinity. The
// nodes are for the float64 run, in which all floats are float64. Only tensors that nodes of the main graph compute are
// changed.
void overflow_to_infinity(model::Model& model, const std::set<std::string>& tensors);

}  // namespace assay::diagnose
