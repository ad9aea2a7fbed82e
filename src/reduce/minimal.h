// From a failing model to one in which no node can go: `--mode minimal`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "model/model.h"
#include "reduce/judge/judges.h"
#include "reduce/passes/fixed_inputs.h"
#include "reduce/search/explorer.h"
#include "reduce/search/stage.h"
#include "reduce/values/supply_boundary.h"
#include "reduce/verdicts/iterations.h"
#include "reduce/verdicts/journal.h"

namespace assay::reduce {

struct MinimalOptions {
  bool infer_shapes = true;
  bool see_all_shapes = false;  // take every shape from the reference, and only then from anything else
  SideValues values = SideValues::automatic;
  ExploreLimits limits = {};
  // Of checks that do not fail every time. With one run a candidate (the default), a failure that is seen to come and
  // go is searched with as many as it takes.
  RepeatRule rule = {};
  std::set<std::string, std::less<>> skip = {};  // passes and phases that are not to run
  // Passes that make the model simpler, but not shorter, share as many checks as are left of those that a bisection
  // makes, and one for each node of the result; true: they have no such bound.
  bool thorough = false;
  FixedInputs fixed_inputs = {};  // they keep their shape, unless `thorough`
};

struct MinimalParts {
  Judges& judges;
  Journal* journal;        // may be null
  Iterations* iterations;  // may be null
  base::Log& log;
  const base::Stop& stop;
  Explorer::Classify classify;  // may keep the models that it is given as long as the original model lives
  MakeReference reference;
  // Judges the very bytes of the model's file; empty where a copy of the file would lack its weights.
  std::function<base::Expected<Verdict>()> judge_file;
  // Recorded values of tensors by name, for freezing; may be empty.
  tensor::NamedTensors values;
};

struct MinimalReduction {
  // skipped: passes that were left out could take out more.
  enum class End { minimal, skipped, few_nodes, checks, stopped };
  std::shared_ptr<const model::Model> model;    // fails, and was judged as it is here
  bool verbatim = false;                        // it is the input, byte for byte: written anew it would no longer fail
  std::shared_ptr<const model::Model> passing;  // close in size, and passes; null where there was none
  std::int64_t nodes_before = 0;                // as count_all_nodes() counts them
  std::int64_t nodes_after = 0;
  End end = End::minimal;  // minimal: each node was removed alone in every available way, except for those in `untried`
  // Nodes that couldn't be removed for a try, each with the reason: "Relu 'r': too little is known of what it makes".
  std::vector<std::string> untried;
  // A model without any node fails the check as well.
  bool empty_fails = false;
  // Local functions that no node calls, and without which the failure disappears.
  std::vector<std::string> uncalled_functions;
  std::vector<PassCounts> passes;
  std::vector<Verdict> confirmation;  // of the result, by runs of its own at the end; empty where stopped before
  std::optional<base::Error> error;   // that ended it early, though not a request to stop; the model is the best so far
  TrialCounts counts;
  double seconds = 0;  // checks and all
};

// Errors: invalid_input where the model does not fail at all; before anything failed also interrupted, those of the
// judges and of building; behind that there is a result.
base::Expected<MinimalReduction> reduce_to_minimum(const model::Model& model, const MinimalOptions& options,
                                                   const MinimalParts& parts);

}  // namespace assay::reduce
