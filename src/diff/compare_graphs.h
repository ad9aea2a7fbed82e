// Compares two graphs and, below them, the bodies of their nodes.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <string>
#include <string_view>

#include "diff/comparison.h"
#include "diff/match_graphs.h"

namespace assay::diff {

// Matches two weights of the graphs around a body, by name, because its nodes read them in the same place. Returns
// whether they are counterparts.
using MatchOuter = std::function<bool(std::string_view first, std::string_view second)>;

// Adds everything in which two graphs differ: those of the two models, or two bodies. `place` names the body in the
// changes, and is empty for the models' graphs. `outer` holds the counterparts of the tensors around the graphs;
// `match_outer` is asked about weights around them that have none yet, and is empty if there is no graph around them.
// Errors: those of Comparison::compare_tensors().
base::Status compare_graphs(Comparison& comparison, const onnx::GraphProto& first, const onnx::GraphProto& second,
                            PortsBy ports, const TensorPairs& outer, const std::string& place,
                            const MatchOuter& match_outer = {});

}  // namespace assay::diff
