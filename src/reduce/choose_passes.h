// Decides which phases and passes of minimal mode run, from what the user asked for.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/reduce_model.h"

namespace assay::reduce {

struct PassChoice {
  std::vector<std::string> only{};  // run only these; empty: all, except for those that run on request
  std::vector<std::string> skip{};
  bool thorough = false;  // also run those that run on request
};

// Sets `skip`, `skip_to_keep_values` and `thorough`. The second adds to the first the passes that change values, unless
// `only` names them. Errors: invalid_input for an unknown name.
base::Status choose_passes(const PassChoice& choice, ReduceOptions& options);

}  // namespace assay::reduce
