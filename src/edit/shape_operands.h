// Says which inputs of an operator are shapes, lengths, indices, axes or conditions rather than data.
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::edit {

// For such inputs, a generated value makes no sense: the node would fail, or return a tensor of another shape. Knows
// the operators of ai.onnx; returns false for all others. `index` counts empty inputs, too.
bool is_shape_operand(const onnx::NodeProto& node, int index);

}  // namespace assay::edit
