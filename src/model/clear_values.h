// Removes the values of a TensorProto.
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::model {

// Removes the values, wherever they are stored, and all that says where. Name, type, shape and doc_string stay.
void clear_values(onnx::TensorProto& tensor);

}  // namespace assay::model
