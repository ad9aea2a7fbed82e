// Models may be invalid, so what a node should have is checked before it is read.
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::shard {

// Returns whether the node has a first output and, in these places, inputs that aren't omitted.
inline bool has_operands(const onnx::NodeProto& node, int inputs) {
  if (node.input_size() < inputs || node.output_size() == 0 || node.output(0).empty()) return false;
  for (int i = 0; i < inputs; ++i) {
    if (node.input(i).empty()) return false;
  }
  return true;
}

}  // namespace assay::shard
