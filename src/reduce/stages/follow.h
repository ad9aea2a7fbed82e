// Predicts which searches follow one another, so that the explorer can look ahead and keep its slots busy when a search
// ends.
#pragma once

#include <vector>

#include "reduce/explore/explorer.h"
#include "reduce/search/last_look.h"
#include "reduce/search/simplify_search.h"
#include "reduce/stages.h"

namespace assay::reduce {

// Return the searches that will follow the one that runs now: the phases that grow sets of nodes, the removal of single
// nodes, or the passes. `builder` must outlive the result.
std::vector<Follow> follow_growth(const Reducer& reducer, const State& state, CandidateBuilder& builder);
std::vector<Follow> follow_removal(const Reducer& reducer, const State& state, CandidateBuilder& builder);
std::vector<Follow> follow_passes(const Reducer& reducer);

// The searches that follow, as the stages themselves begin them.
SimplifySearch simplification(const Reducer& reducer, SharedModel model, const State& state);
LastLook last_look(const Reducer& reducer, const State& state, const SharedModel& model);

}  // namespace assay::reduce
