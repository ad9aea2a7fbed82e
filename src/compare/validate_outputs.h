// Looks for values that no sound model gives: NaN and infinity.
#pragma once

#include <string_view>

#include "base/log.h"
#include "tensor/tensor.h"

namespace assay::compare {

// False where an output of a floating or complex type holds NaN or infinity; all of them are named in the log, with how
// many there are and where the first is.
bool validate_outputs(std::string_view runner, const tensor::NamedTensors& outputs, base::Log& log);

}  // namespace assay::compare
