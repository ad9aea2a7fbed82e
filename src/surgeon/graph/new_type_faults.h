// Finds contradictions between types or shapes that an edit has caused.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace assay::surgeon {

// Returns a text for each node of `after` whose types or shapes contradict each other, but not in `before`, such as
// "MatMul 'mm' (node #0): Incompatible dimensions for matrix multiplication". Nodes are recognised by their outputs.
// Shapes that are merely declared wrongly don't count: engines ignore them.
std::vector<std::string> new_type_faults(const model::Model& before, const model::Model& after);

// Returns the first few of these texts as one; empty if there are none.
std::string list_new_type_faults(const model::Model& before, const model::Model& after);

}  // namespace assay::surgeon
