// A node that stands in for what nobody looks at.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>

namespace assay::reduce {

// A Constant of that name, type and shape, full of zeros; unknown sizes are 1. Absent if that would take more than
// 16 MiB.
std::optional<onnx::NodeProto> zeros_node(const onnx::ValueInfoProto& like);

}  // namespace assay::reduce
