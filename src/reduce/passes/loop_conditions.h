// Which tensors decide when a Loop ends?
#pragma once

#include <onnx/onnx_pb.h>

#include <set>
#include <string>

namespace assay::reduce {

// Returns the names of the tensors, of the graph and of all bodies, from which the condition of a Loop is computed that
// has no small constant number of iterations (has_few_rounds). Another value of one of them could make the Loop
// endless.
std::set<std::string> tensors_of_conditions(const onnx::GraphProto& graph);

}  // namespace assay::reduce
