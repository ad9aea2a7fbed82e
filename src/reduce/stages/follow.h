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
// nodes, the passes, or the last look. `builder` must outlive the result.
std::vector<Follow> follow_growth(const Reducer& reducer, const State& state, CandidateBuilder& builder);
std::vector<Follow> follow_removal(const Reducer& reducer, const State& state, CandidateBuilder& builder);
std::vector<Follow> follow_passes(const Reducer& reducer, const State& state);
// `first_run`: the number of the first further run after the last look.
std::vector<Follow> follow_last_look(const Reducer& reducer, int first_run);

// How many numbers of further runs (RepeatedRuns::claim_runs) the last look claims. It numbers all its further runs
// alike, since each is of another candidate.
inline constexpr int kRunsOfLastLook = 1;

// The searches that follow, as the stages themselves begin them.
SimplifySearch simplification(const Reducer& reducer, SharedModel model, const State& state);
LastLook last_look(const Reducer& reducer, const State& state, const SharedModel& model);

}  // namespace assay::reduce
