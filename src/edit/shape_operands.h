// Which inputs of an operator are shapes, indices, axes or conditions rather than data?
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::edit {

// A generated value makes no sense there: the node then fails, or gives a tensor of another shape. For operators of
// ai.onnx; false for all others. `index`: of the node's input, counting empty ones.
bool is_shape_operand(const onnx::NodeProto& node, int index);

}  // namespace assay::edit
