// Removes declared shapes that an edit may have made false. shapes.h has remove_stale_shapes() for whole graphs.
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::model {

// Removes the shapes inside the bodies of the graph's nodes that can follow from those of tensors that the bodies read.
void remove_stale_shapes_in_bodies(onnx::GraphProto& graph);

}  // namespace assay::model
