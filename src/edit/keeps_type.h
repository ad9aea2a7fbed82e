// Operators that leave types and shapes, or ranks, as they are.
#pragma once

#include "model/model.h"

namespace assay::edit {

// The operator's first output has the type and shape of its first input, whatever these and its attributes are.
bool keeps_type(const onnx::NodeProto& node);

// The first output has as many dimensions as the first input, whatever else is kept.
bool keeps_rank(const onnx::NodeProto& node);

}  // namespace assay::edit
