// The result is claimed to be minimal only after each remaining node was removed alone in every way, and after the
// check was run on it again. If a verdict flips, the failure is flaky, and what remains is searched once more with
// repeated runs.
#include <string>
#include <utility>
#include <vector>

#include "edit/changes/uncalled_functions.h"
#include "reduce/stages.h"
#include "reduce/stages/follow.h"
#include "reduce/stages/search_nodes.h"

namespace assay::reduce {
namespace {

std::vector<std::string> names_of_uncalled(const model::Model& model) {
  std::vector<std::string> names;
  for (const onnx::FunctionProto* function : edit::uncalled_functions(model.proto)) names.push_back(function->name());
  return names;
}

// Returns a candidate that passed and then failed; null if no candidate did. A look that a limit ended says nothing
// about what it didn't reach. After any other one, each function that is still uncalled was removed alone in vain.
base::Expected<SharedModel> look_last(Reducer& reducer, const State& state) {
  LastLook look = last_look(reducer, state, reducer.best().model);
  reducer.runs().claim_runs(kRunsOfLastLook);
  ASSAY_TRY(reducer.run_models(look, follow_last_look(reducer, reducer.runs().next_run())));
  if (!reducer.hit_limit()) {
    reducer.result().untried = look.untried();
    reducer.result().uncalled_functions = names_of_uncalled(*look.model());
  }
  reducer.result().empty_fails = look.empty_fails();
  return look.flipped();
}

}  // namespace

base::Expected<State> confirm(Reducer& reducer, State state) {
  // Searches once more at most: repeated runs are the rule then, and detect_in_result() returns false.
  for (;;) {
    if (reducer.limit_reached() == LimitReached::checks) return state;
    SharedModel flipped;
    if (!reducer.hit_limit() && !reducer.skips(kVerify)) {
      ASSAY_ASSIGN(flipped, look_last(reducer, state));
      if (reducer.limit_reached() == LimitReached::checks) return state;
    }
    ASSAY_ASSIGN(const bool search_again, reducer.runs().detect_in_result(reducer.best().model, flipped));
    if (!search_again) return state;
    reducer.result().untried.clear();
    reducer.result().uncalled_functions.clear();
    ASSAY_ASSIGN(SearchedNodes searched, search_nodes(reducer, std::move(state), {.model = reducer.best().model}));
    state = std::move(searched.state);
  }
}

}  // namespace assay::reduce
