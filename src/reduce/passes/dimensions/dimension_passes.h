// Declares the passes that change sizes of tensors. The table in passes.cc says what each of them does.
#pragma once

#include <vector>

#include "reduce/passes/pass.h"

namespace assay::reduce {

std::vector<edit::ModelChange> shrink_dimensions(const PassInput& input);
std::vector<edit::ModelChange> shrink_inputs(const PassInput& input);

}  // namespace assay::reduce
