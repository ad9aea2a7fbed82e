// Replaces an output of a node in a body by another tensor.
#pragma once

#include <string>

#include "edit/changes/model_change.h"
#include "reduce/candidates/body_graphs.h"

namespace assay::reduce {

// Adds to `change` that readers of `output` read `other` instead. With `through_identity`, the readers stay as they
// are, and `replace`, which removes the node, puts an Identity in its place: engines reject a body that returns a
// tensor that it doesn't compute, or that returns one twice.
void replace_output(const Place& place, const std::string& output, const std::string& other, bool through_identity,
                    edit::ReplaceNode& replace, edit::ModelChange& change);

}  // namespace assay::reduce
