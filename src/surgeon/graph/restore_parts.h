// Puts parts of a quantized model back into float.
#pragma once

#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "surgeon/graph/quantized_parts.h"

namespace assay::surgeon {

// Returns the quantized model in which `parts`, some of those found, are computed as in the float model, with weights
// of the float model. Tensors keep their names. Large weights stay in the files of both models. Errors: invalid_input
// if a reference to a weight is invalid.
base::Expected<model::Model> restore_parts(const model::Model& floats, const model::Model& quantized,
                                           const std::vector<QuantizedPart>& parts);

}  // namespace assay::surgeon
