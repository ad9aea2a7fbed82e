#include "reduce/stages.h"
#include "reduce/stages/follow.h"

namespace assay::reduce {

base::Expected<State> simplify(Reducer& reducer, State state) {
  if (reducer.hit_limit()) return state;
  SimplifySearch search = simplification(reducer, reducer.best().model, state);
  ASSAY_TRY(reducer.run_models(search, follow_passes(reducer, state)));
  state.searched = search.searched();
  return state;
}

}  // namespace assay::reduce
