// If any failure counts, the whole model is judged only if no candidate failed: a failing part of it says more, for the
// same price. Then the possible reasons are tried: the failure needs the whole model; it needs Constant nodes to be
// nodes; it lies in how the file is written; the model doesn't fail at all. If only some failures count, the whole
// model is judged first, so that the filter knows the failure to look for.
#include <utility>

#include "reduce/judge/failure_filter.h"
#include "reduce/search/ends_search.h"
#include "reduce/search/try_model.h"
#include "reduce/stages.h"
#include "reduce/stages/try_verbatim.h"

namespace assay::reduce {
namespace {

class Ends {
 public:
  Ends(Reducer& reducer, Constants constants)
      : reducer_(reducer), builder_(reducer.model(), constants, options(reducer)) {
    reducer.count_constants(constants);
  }

  base::Status search() {
    const ReduceOptions& options = reducer_.options();
    EndsSearch search(builder_.subject(), {.order = options.mode == Mode::linear ? PositionSearch::Order::linear
                                                                                 : PositionSearch::Order::bisect,
                                           .outputs = options.outputs,
                                           .inputs = options.inputs,
                                           .freeze_cut = options.values != CutValues::input});
    return reducer_.run_drafts(search, builder_);
  }

  base::Expected<bool> whole_fails() {
    TryModel search(
        {.draft = std::make_shared<const CutSelection>(CutSelection{
             .selection = edit::whole(builder_.subject()), .cut = {}, .limit = builder_.subject().nodes().size() + 1}),
         .pass = "original",
         .what = "the whole model",
         .iteration = Iteration{.number = 0, .phase = "original"}});
    ASSAY_TRY(reducer_.run_drafts(search, builder_));
    return search.fails();
  }

  [[nodiscard]] bool has_constant_nodes() const { return builder_.subject().has_constant_nodes(); }

 private:
  static CandidateBuilder::Options options(const Reducer& reducer) {
    CandidateBuilder::Options options = reducer.builder_options(reducer.parts().reference, false);
    options.passed_through = false;
    if (options.values == CutValues::automatic) options.values = CutValues::settings;
    return options;
  }

  Reducer& reducer_;
  CandidateBuilder builder_;
};

}  // namespace

base::Expected<State> move_ends(Reducer& reducer, State state) {
  Ends as_values(reducer, Constants::as_values);
  const FailureFilter* filter = reducer.parts().explore.filter;
  const bool whole_first = filter != nullptr && filter->rejects_other_failures();
  if (!whole_first) {
    ASSAY_TRY(as_values.search());
    if (reducer.has_result() || reducer.hit_limit()) return state;
  }
  ASSAY_ASSIGN(bool fails, as_values.whole_fails());
  if (fails && whole_first) ASSAY_TRY(as_values.search());
  if (fails || reducer.hit_limit()) return state;
  if (as_values.has_constant_nodes()) {
    Ends as_nodes(reducer, Constants::as_nodes);
    ASSAY_ASSIGN(fails, as_nodes.whole_fails());
    if (fails) {
      reducer.log().info(
          "The failure disappears if Constant nodes are written as initializers, so they are kept as nodes");
      ASSAY_TRY(as_nodes.search());
    }
  }
  if (!fails && !reducer.hit_limit()) ASSAY_TRY(try_verbatim(reducer));
  return state;
}

}  // namespace assay::reduce
