// ONNX's checker and shape inference, node by node.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lint/report.h"
#include "model/model.h"
#include "model/shapes.h"

namespace assay::lint {

// Runs the checker on each node by itself (also on those in bodies and functions), each weight, input and output, and
// adds what it rejects. Skips nodes whose domain has no operator set: check_graph() reports those.
void check_nodes(const model::Model& model, Report& report);

// Gives outputs without a shape an empty one, as Polygraphy does before it calls the checker. Strictly, the checker
// rejects such models, but many work: check_nodes() warns of them. Returns the names of these outputs.
std::vector<std::string> add_output_shapes(onnx::ModelProto& model);

// Infers types and shapes, and adds nodes for which that fails or whose inputs have types that the operator doesn't
// take, and tensors whose declared type or shape contradicts the inferred one. Returns what is known about the tensors
// of the graph, declared or inferred.
std::map<std::string, model::TensorInfo> check_types(const model::Model& model, Report& report);

}  // namespace assay::lint
