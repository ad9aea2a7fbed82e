// Operators that leave types and shapes, or ranks, as they are.
#pragma once

#include "model/model.h"

namespace assay::edit {

// The operator's first output has the type and shape of its first input, whatever these and its attributes are.
bool keeps_type(const onnx::NodeProto& node);

// It has as many dimensions, at least.
bool keeps_rank(const onnx::NodeProto& node);

}  // namespace assay::edit
