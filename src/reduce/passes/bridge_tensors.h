// Finds the cheapest nodes that turn one tensor into another. They replace a part of a model whose interior doesn't
// matter.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <vector>

#include "reduce/candidates/body_graphs.h"

namespace assay::reduce {

struct Bridge {
  std::vector<onnx::NodeProto> nodes;  // read `from` and produce `to`; empty: readers of `to` can read `from`
  std::vector<onnx::TensorProto> constants;
};

// Uses, in this order: nothing, Reshape, Expand, Slice, Pad, or ReduceMax with Expand. A size that has the same symbol
// on the same axis of both tensors is kept. Returns nothing if the element types differ, if a size is unknown, or if
// the operators don't exist in this opset. `names` chooses the names of the constants.
std::optional<Bridge> bridge_tensors(const onnx::ValueInfoProto& from, const onnx::ValueInfoProto& to, int opset,
                                     FreshNames& names);

}  // namespace assay::reduce
