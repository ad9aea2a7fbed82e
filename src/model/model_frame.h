// What of a model does not grow with its graph.
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::model {

// Everything but the graph's nodes, initializers, inputs, outputs, value infos and quantization annotations, and but
// training information, which can refer to all of these. A graph is there in any case.
onnx::ModelProto model_frame(const onnx::ModelProto& model);

}  // namespace assay::model
