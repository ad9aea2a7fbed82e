// Converts the attributes of a node that becomes float16: values, and the type of its output.
#pragma once

#include <onnx/onnx_pb.h>

#include "base/error.h"
#include "surgeon/float16/weights.h"

namespace onnx {
class OpSchema;
}

namespace assay::surgeon {

// Replaces float32 inside a type, be it of a tensor, a sequence or an optional.
void to_float16(onnx::TypeProto& type);

// Converts tensors to float16, and numbers of Constant nodes to a float16 tensor. Attributes that name float32,
// explicitly or by default, then name float16. `schema` is the node's; one of the node's operands must be float16.
// Errors: those of Float16Weights::convert().
base::Status convert_attributes(onnx::NodeProto& node, const onnx::OpSchema& schema, Float16Weights& weights);

}  // namespace assay::surgeon
