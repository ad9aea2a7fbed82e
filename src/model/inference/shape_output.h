// Computes ONNX's operator Shape.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <span>
#include <vector>

namespace assay::model {

// Returns the output of a Shape node whose input has these sizes: those between its attributes `start` and `end`, which
// count from the end if they are negative, and are clamped. A size may have any value, so -1 can stand for an unknown
// one.
std::vector<std::int64_t> shape_output(const onnx::NodeProto& node, std::span<const std::int64_t> sizes);

}  // namespace assay::model
