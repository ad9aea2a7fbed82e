// Copies the parts of a model that don't grow with its graph.
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::model {

// Returns a copy without the graph's nodes, initializers, inputs, outputs, value infos and quantization annotations,
// and without training information, which can refer to all of these. The copy always has a graph.
onnx::ModelProto model_frame(const onnx::ModelProto& model);

}  // namespace assay::model
