// Operators that leave types and shapes as they are.
#pragma once

#include "model/model.h"

namespace assay::reduce {

// The operator's first output has the type and shape of its first input, whatever these and its attributes are.
bool keeps_type(const onnx::NodeProto& node);

}  // namespace assay::reduce
