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

// `place` names the graphs in changes; empty for those of the models. `outer`: counterparts of the tensors around them.
// `match_outer`: for weights around them that have none yet; empty if there is no graph around them.
// Errors: those of Comparison::tensors().
base::Status compare_graphs(Comparison& comparison, const onnx::GraphProto& first, const onnx::GraphProto& second,
                            PortsBy ports, const TensorPairs& outer, const std::string& place,
                            const MatchOuter& match_outer = {});

}  // namespace assay::diff
