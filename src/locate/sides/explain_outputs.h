// Looks for simple explanations of outputs that differ: an engine returns them in another order, or with their axes in
// another order. A search inside the model can't find these, since every part of it agrees. If instead the rows of an
// output are in another order, as after TopK, the search finds out why, but the errors of the output say little.
#pragma once

#include <string>
#include <vector>

#include "compare/compare_outputs.h"

namespace assay::locate {

struct OutputsExplained {
  std::vector<std::string> notes;  // sentences without a full stop; empty if nothing explains the difference
  bool all = false;                // true if outputs differ, and the engine misplaces each of these
};

// Outputs that are the same on one side explain nothing, nor do tensors of more than four axes or four million
// elements.
OutputsExplained explain_outputs(const compare::RunOutputs& first, const compare::RunOutputs& second,
                                 const compare::ComparePlan& plan);

}  // namespace assay::locate
