// Finds models for which ONNX's inference would allocate without a limit.
//
// Inference runs inside this process, and some of it allocates as many elements or messages as the model says, without
// a limit: a model of 100 bytes can ask for more memory than any machine has. Such requests can't be caught, since the
// kernel grants memory first and ends the process later. So they are looked for before. Source: the inference functions
// of ONNX 1.23.2; newer ones check sizes themselves.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

namespace assay::model {

// Returns whether inference that propagates values would allocate a message for each element of a large vector: it
// treats every vector as a shape whose values may be known.
bool has_long_vector(const onnx::GraphProto& graph);

// Returns why inference must not run on this model at all, with the operator, or an empty string. That is the case for
// - a Split into many more outputs than the node has,
// - an Expand of operator set 8 to 12 in a model with a large vector, which may become the rank of its output.
// Considers bodies and local functions, too.
std::string why_inference_is_unbounded(const onnx::ModelProto& model);

}  // namespace assay::model
