// A diagnosis for people.
#pragma once

#include <string>

#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::diagnose {

// Returns a few lines: the conclusion, what goes with it, and what to do next.
std::string to_text(const Case& task, const State& state);

}  // namespace assay::diagnose
