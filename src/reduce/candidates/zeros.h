// Creates a placeholder for a value that has no effect.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>

namespace assay::reduce {

// Returns a Constant full of zeros with the name, type and shape of `like`; unknown sizes become 1. Returns nothing if
// the shape is invalid or the value would take more than 16 MiB.
std::optional<onnx::NodeProto> zeros_node(const onnx::ValueInfoProto& like);

}  // namespace assay::reduce
