// Attributes of a node that becomes float16: values, and which type it makes.
#pragma once

#include <onnx/onnx_pb.h>

#include "base/error.h"
#include "surgeon/float16_weights.h"

namespace onnx {
class OpSchema;
}

namespace assay::surgeon {

// Tensors become float16, and numbers of Constant nodes a tensor; attributes that name a type, or whose absence means
// float32, name float16 where they named float32. `schema`: of the node; it makes something that is float16.
base::Status convert_attributes(onnx::NodeProto& node, const onnx::OpSchema& schema, Float16Weights& weights);

}  // namespace assay::surgeon
