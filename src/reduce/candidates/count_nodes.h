// Counts nodes, the measure of size that a reduction reports.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "edit/subject.h"
#include "model/model.h"

namespace assay::reduce {

using Constants = edit::Subject::Constants;

// Returns the number of nodes in the graph and all its bodies. A call of a local function counts as one node plus those
// of the function, so replacing a node by its body makes the model smaller. Nodes nested more than 64 levels deep are
// ignored. Constant nodes are values and don't count unless `constants` says that they are nodes.
std::int64_t count_all_nodes(const model::Model& model, Constants constants = Constants::as_values);

// Return whether the node counts as a value with Constants::as_values: it is a Constant, and the graph or the function
// to which it belongs doesn't return it.
bool can_be_value(const onnx::NodeProto& node, const onnx::GraphProto& graph);
bool can_be_value(const onnx::NodeProto& node, const onnx::FunctionProto& function);

// Returns "Its 242 Constant nodes count as values, not as nodes", for people, or an empty string if the model has none.
std::string describe_constants(const model::Model& model);

// Returns for each of these nodes of the model 1 plus the number of nodes in its bodies and in the function that it
// calls, Constant nodes included.
std::vector<std::int64_t> count_in_each(const model::Model& model, std::span<const onnx::NodeProto* const> nodes);

}  // namespace assay::reduce
