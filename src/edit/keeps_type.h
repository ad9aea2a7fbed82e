// Operators that preserve types and shapes, or ranks.
#pragma once

#include "model/model.h"

namespace assay::edit {

// Returns true if the operator's first output always has the type and shape of its first input. For a sequence, only
// the type has to be the same.
bool keeps_type(const onnx::NodeProto& node);

// Returns true if the first output always has as many dimensions as the first input.
bool keeps_rank(const onnx::NodeProto& node);

}  // namespace assay::edit
