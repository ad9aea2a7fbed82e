// Rules about the edges of a graph: each tensor is defined once, before it is read, and without a cycle.
#pragma once

#include <onnx/onnx_pb.h>

#include "lint/report.h"

namespace assay::lint {

// Adds the findings of these rules, also those in bodies at any depth. A finding in a body is about the node of the
// model's graph that contains it.
void check_edges(const onnx::GraphProto& graph, Report& report);

}  // namespace assay::lint
