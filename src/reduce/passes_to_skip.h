// Decides which phases and passes of minimal mode run, from what the user asked for.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/error.h"

namespace assay::reduce {

struct PassChoice {
  std::vector<std::string> only{};  // run only these; empty: all, except for those that run on request
  std::vector<std::string> skip{};
  bool thorough = false;      // also run those that run on request
  bool keeps_values = false;  // run those that change values only if `only` names them
};

// Returns ReduceOptions::skip, or skip_to_keep_values: the names of all phases and passes that don't run, and of
// "verify" if it doesn't. Errors: invalid_input for an unknown name.
base::Expected<std::set<std::string, std::less<>>> passes_to_skip(const PassChoice& choice);

}  // namespace assay::reduce
