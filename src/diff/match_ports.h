// Matches inputs, outputs and weights, which aren't computed by nodes.
#pragma once

#include <google/protobuf/repeated_ptr_field.h>
#include <onnx/onnx_pb.h>

#include <utility>
#include <vector>

#include "diff/match_graphs.h"

namespace assay::diff {

using Ports = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

// Returns the indices of inputs (outputs) that belong together: those of equal names, then those that remain in their
// order if their types are the same; or all by position.
std::vector<std::pair<int, int>> match_ports(const Ports& first, const Ports& second, PortsBy by);

// Matches weights that matched nodes read at the same input: those of equal names, then those of equal values, then the
// rest; and finally weights of equal names that no matched node reads. Needs Match::nodes, and completes
// Match::tensors.
void match_weights(const Side& first, const Side& second, Match& match);

}  // namespace assay::diff
