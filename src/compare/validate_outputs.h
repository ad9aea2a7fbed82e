// Looks for values that a correct model doesn't return: NaN and infinity.
#pragma once

#include <string_view>

#include "base/log.h"
#include "tensor/tensor.h"

namespace assay::compare {

// Returns false if an output of a floating-point or complex type holds NaN or infinity. Logs each such output, with the
// number of such values and the position of the first.
bool validate_outputs(std::string_view runner, const tensor::NamedTensors& outputs, base::Log& log);

// Warns of outputs that hold NaN. Infinity is often intended.
void warn_of_nan(std::string_view runner, const tensor::NamedTensors& outputs, base::Log& log);

}  // namespace assay::compare
