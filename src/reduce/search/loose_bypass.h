// A bypass that changes sizes, such as that of a Slice or a Reshape: the readers of a node's output read its first
// input although that has other sizes. Shapes after it are inferred again.
#pragma once

#include <onnx/onnx_pb.h>

#include "edit/changes/known_value_infos.h"
#include "edit/node_places.h"
#include "model/model.h"
#include "reduce/search/candidate_builder.h"

namespace assay::reduce {

// Returns true if both are tensors of the same element type and the same known rank.
bool same_type_and_rank(const onnx::ValueInfoProto& a, const onnx::ValueInfoProto& b);

// Returns the model without this node of the graph, or null if that isn't possible: the node has weights, or changes
// the type, or shape inference fails. If the node changes the rank, inference has to find the ranks of all outputs.
// `known`: types and shapes of the model's tensors.
SharedModel bypass_loosely(const model::Model& model, const edit::ValueInfos& known, const edit::NodePlace& place);

}  // namespace assay::reduce
