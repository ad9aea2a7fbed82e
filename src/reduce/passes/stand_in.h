// Another tensor takes the place of what a node of a body makes.
#pragma once

#include <string>

#include "edit/model_change.h"
#include "reduce/candidates/body_graphs.h"

namespace assay::reduce {

// Whoever reads `output` reads `other`: added to `change`. With `through_identity` its readers stay as they are, and
// `replace`, which takes the node out, puts an Identity there: engines do not take a body that gives back a tensor
// which it does not make, or gives one back twice.
void stand_in(const Place& place, const std::string& output, const std::string& other, bool through_identity,
              edit::ReplaceNode& replace, edit::ModelChange& change);

}  // namespace assay::reduce
