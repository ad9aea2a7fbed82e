// Looks for simple explanations of outputs that differ: an engine returns them in another order, or with their axes in
// another order. A search inside the model can't find these, since every part of it agrees.
#pragma once

#include <string>
#include <vector>

#include "compare/compare_outputs.h"
#include "tensor/tensor.h"

namespace assay::locate {

// Returns sentences without a full stop; empty if nothing explains the difference. Outputs that are the same on one
// side explain nothing, nor do tensors of more than four axes or four million elements.
std::vector<std::string> explain_outputs(const compare::RunOutputs& first, const compare::RunOutputs& second,
                                         const compare::ComparePlan& plan);

}  // namespace assay::locate
