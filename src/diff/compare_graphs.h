// Compares two graphs and, below them, the bodies of their nodes.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "diff/comparison.h"
#include "diff/match_graphs.h"

namespace assay::diff {

// `place` names the graphs in changes; empty for those of the models. `outer`: counterparts of the tensors around them.
// Errors: those of Comparison::tensors().
base::Status compare_graphs(Comparison& comparison, const onnx::GraphProto& first, const onnx::GraphProto& second,
                            PortsBy ports, const TensorPairs& outer, const std::string& place);

}  // namespace assay::diff
