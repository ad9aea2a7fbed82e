// Decides who is at fault if the search for the place of a difference finds an engine that isn't deterministic.
#pragma once

#include <optional>

#include "diagnose/case.h"
#include "diagnose/state.h"
#include "report/page/page.h"

namespace assay::diagnose {

// `is_good_side`: the engine that is assumed to be right isn't deterministic, not the one that differs from it. Makes
// the random engine the failure if the user gave it. If it only served as an opinion, returns the answer of the step:
// the difference is withdrawn, unless something else confirms it.
std::optional<report::PageStep> blame_random(const Case& task, bool is_good_side, Facts& facts);

}  // namespace assay::diagnose
