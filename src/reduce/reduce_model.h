// From a failing model to a smaller one that still fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "edit/tensor_facts.h"
#include "model/model.h"
#include "reduce/search.h"
#include "reduce/search/trials.h"
#include "reduce/values/reference.h"
#include "reduce/values/supply_boundary.h"
#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

struct ReduceOptions {
  Mode mode = Mode::bisect;
  bool outputs = true;  // move the outputs up
  bool inputs = true;   // move the inputs down
  bool infer_shapes = true;
  bool see_all_shapes = false;  // take every shape from the reference, and only then from anything else
  SideValues side_values = SideValues::automatic;
};

struct ReduceParts {
  const Oracle& oracle;
  base::Log& log;
  const base::Stop& stop;
  // Makes the reference for a subject; null where there is no engine for one.
  std::function<std::unique_ptr<Reference>(const edit::Subject&, const edit::TensorFacts&)> reference;
};

struct Reduction {
  model::Model model;                   // fails, and was judged as it is here
  bool verbatim = false;                // it is the input, byte for byte: written anew it would no longer fail
  std::optional<model::Model> passing;  // close in size, and passes; where there was one
  std::int64_t nodes_before = 0;        // as count_all_nodes() counts them
  std::int64_t nodes_after = 0;
  bool complete = true;              // false: it ended early, with the best so far
  std::optional<base::Error> error;  // that ended it, where that was not a request to stop
  TrialCounts counts;
  double seconds = 0;  // checks and all
};

// Errors: invalid_input where the model does not fail at all; before anything failed also interrupted and those of the
// oracle; behind that there is a result.
base::Expected<Reduction> reduce_model(const model::Model& model, const ReduceOptions& options,
                                       const ReduceParts& parts);

}  // namespace assay::reduce
