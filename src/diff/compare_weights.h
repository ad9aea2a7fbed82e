// Compares the initializers of two graphs.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "base/error.h"
#include "diff/comparison.h"
#include "diff/match_graphs.h"
#include "diff/wiring.h"

namespace assay::diff {

// Two graphs, and which tensors of one are which of the other.
struct MatchedGraphs {
  const onnx::GraphProto& first;
  const onnx::GraphProto& second;
  const Wiring& first_wiring;
  const Wiring& second_wiring;
  const Match& match;
};

// Adds the weights that only one graph has, those that differ, and those that only one of the models has as inputs,
// too. `place`: the body that the graphs are, for messages; empty for the main graph. Errors: those of
// Comparison::compare_tensors().
base::Status compare_weights(Comparison& comparison, const MatchedGraphs& graphs, const std::string& place);

}  // namespace assay::diff
