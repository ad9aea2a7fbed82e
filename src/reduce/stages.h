// The stages of a reduction. A mode is a list of them.
//
// A stage receives what is known and returns what is known after it. The smallest failing model itself is kept by the
// Reducer, through which all searches run.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>

#include "base/error.h"
#include "reduce/reduce_model.h"
#include "reduce/reducer.h"

namespace assay::reduce {

struct State {
  std::shared_ptr<CandidateBuilder> original;  // builds candidates of the original model, as its last search did
  bool keep_unread = false;                    // the failure needs inputs or weights that no node reads
  SharedModel searched;                        // the result of the last search for nodes; null before one
  SharedModel searched_bodies;                 // the same for bodies, if the search saw all of them
  std::set<std::string> tried_loops{};         // outputs of Loops whose iterations were searched
  std::set<std::string> tried_openings{};      // ModelChange::what of refused changes that open a body
};

// Returns a filter for the untried changes that open the body of a node of the outer graph. `state` must outlive it.
WantedChange opens_in_graph(const State& state);

using Stage = base::Expected<State> (*)(Reducer& reducer, State state);
// Returns the stages of a mode, in order.
std::span<const Stage> stages_of(Mode mode);

// Finds out how the model must be written so that it fails, and searches its nodes.
base::Expected<State> search_original(Reducer& reducer, State state);
// Does the same for bisect and linear: moves the ends.
base::Expected<State> move_ends(Reducer& reducer, State state);
// Replaces nodes by their bodies, and searches again.
base::Expected<State> open_bodies(Reducer& reducer, State state);
// Searches the bodies that have to stay in their nodes.
base::Expected<State> search_bodies(Reducer& reducer, State state);
// Runs the passes that simplify the result.
base::Expected<State> simplify(Reducer& reducer, State state);
// Removes each remaining node alone, and runs the result again. Searches the remaining nodes again if the failure turns
// out to be flaky.
base::Expected<State> confirm(Reducer& reducer, State state);

}  // namespace assay::reduce
