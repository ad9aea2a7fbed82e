// A diagnosis for programs.
#pragma once

#include <string>

#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::diagnose {

// Returns the whole diagnosis as JSON: the conclusion, the steps with their evidence, and the facts.
std::string to_json(const Case& task, const State& state);

}  // namespace assay::diagnose
