// Reduces a failing model to a smaller one that still fails: everything that `debug reduce` does.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "reduce/explore/explorer.h"
#include "reduce/judge/repeat_judge.h"
#include "reduce/judge/signature.h"
#include "reduce/search/candidate_builder.h"
#include "reduce/values/reference_inputs.h"
#include "reduce/values/supply_boundary.h"

namespace assay::reduce {

enum class Mode {
  minimal,  // reduces to a model of which no node can be removed
  bisect,   // like Polygraphy's mode: halves the model once from each end
  linear,   // like Polygraphy's mode: goes node by node from each end
};

// Returns which failures count unless the user says so: in Polygraphy's modes all do, as in Polygraphy.
constexpr SameFailure usual_same_failure(Mode mode) {
  return mode == Mode::minimal ? SameFailure::same_class : SameFailure::any;
}

struct ReduceOptions {
  Mode mode = Mode::minimal;
  bool outputs = true;  // bisect and linear: move the outputs up
  bool inputs = true;   // bisect and linear: move the inputs down
  bool infer_shapes = true;
  bool shapes_from_reference = false;  // take every shape from the reference, in preference to inferred ones
  CutValues values = CutValues::automatic;
  ExploreLimits limits = {};
  // For flaky checks. With one run per candidate (the default), minimal mode detects a flaky failure itself, and then
  // repeats each candidate as often as needed.
  RepeatRule rule = {};
  // minimal: passes and phases that don't run, and those that don't run while ReduceParts::keeps_values.
  std::set<std::string, std::less<>> skip = {};
  std::set<std::string, std::less<>> skip_to_keep_values = {};
  // minimal: passes that make the model simpler, but not shorter, share a budget: as many checks as a bisection takes,
  // and one for each node of the result. True: they have no budget.
  bool thorough = false;
  InputShapes fixed_inputs = {};  // keep their shape, unless `thorough`
};

struct ReduceParts {
  ExploreParts explore;
  MakeReference reference{};
  // Judges a byte-for-byte copy of the model's file. Called while no check runs. Empty if the copy would lack its
  // weights, or if the model isn't as in the file.
  FileJudge judge_file{};
  // Recorded values of tensors by name, for freezing; may be empty.
  tensor::NamedTensors values{};
  // minimal: returns whether the failure depends on values of the model's tensors that the check knows, so that
  // candidates must compute the same for those that they keep. Nodes are then removed, but never bypassed. Doesn't
  // change once a candidate has failed. May be empty: false.
  std::function<bool()> keeps_values{};
};

struct Reduction {
  enum class StopReason {
    minimal,       // each node was removed alone in every available way, except for those in `untried`
    between_ends,  // bisect and linear: the ends can't move further, and nothing else was tried
    skipped,       // passes that were skipped might remove more
    few_nodes,     // see ExploreLimits
    checks,        // see ExploreLimits
    unchanged,     // only the file as it is fails, so nothing was removed: see `verbatim`
    stopped,       // by a stop request, or by `error`
  };
  SharedModel model;              // fails, and was judged exactly as it is here
  bool verbatim = false;          // it is the input, byte for byte: rewritten, it wouldn't fail
  Verdict verdict;                // of the check on it
  Signature failure;              // of that verdict
  SharedModel passing;            // passes, and has a similar size; null if no candidate passed
  std::int64_t nodes_before = 0;  // as count_all_nodes() counts them
  std::int64_t nodes_after = 0;
  StopReason stop_reason = StopReason::minimal;
  // minimal: nodes for which no candidate without them could be built, each with the reason: "Relu 'r': too little is
  // known of its output". Empty if `verify` ended early.
  std::vector<std::string> untried;
  // A model without any node fails the check as well.
  bool empty_fails = false;
  // minimal: local functions that no node calls, and without which the failure disappears. Empty if `verify` was left
  // out or ended early.
  std::vector<std::string> uncalled_functions;
  std::vector<PassCounts> passes;
  std::vector<Verdict> confirmation;  // minimal: further runs of the check on the result; empty if stopped before
  std::optional<base::Error> error;   // that ended the reduction early; not set if a stop was requested
  TrialCounts counts;
  double seconds = 0;  // checks and everything else
};

// Returns the best candidate once one has failed, even if a stop or an error ends the search (Reduction::error). Errors
// before that: invalid_input if the model doesn't fail the check at all, or not within the limits; interrupted; those
// of the judges and of building.
base::Expected<Reduction> reduce_model(SharedModel model, const ReduceOptions& options, const ReduceParts& parts);

}  // namespace assay::reduce
