// Keeps ONNX's inference from allocating without a limit, and from reading types that aren't known.
//
// Inference runs inside this process, and some of it allocates as many elements or messages as the model says, without
// a limit: a model of 100 bytes can ask for more memory than any machine has. Such requests can't be caught, since the
// kernel grants memory first and ends the process later. So they are looked for before. Source: the inference functions
// of ONNX 1.23.2; newer ones check sizes themselves.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

namespace assay::model {

struct InferenceOptions {
  bool throw_errors = false;  // throw one exception with the errors of all nodes; otherwise they are ignored
  // Also compute the values of short vectors. Long ones are left out: ONNX treats every vector as a shape whose values
  // may be known, and allocates a message for each element, about 70 bytes. A Reshape to [-1] is enough to get such a
  // vector.
  bool propagate_values = true;
};

// Runs ONNX's inference on the model.
void run_inference(onnx::ModelProto& model, const InferenceOptions& options);

// Runs the inference of ONNX's full check, which changes the model. Throws an exception if a node is invalid, or if
// what it computes contradicts a declaration.
void check_inferred(onnx::ModelProto& model);

// Returns why inference must not run on this model at all, with the operator, or an empty string. That is the case for
// - a Split into many more outputs than the node has,
// - an Expand of operator set 8 to 12 in a model with a large vector, which may become the rank of its output.
// Considers bodies and local functions, too.
std::string why_inference_is_unbounded(const onnx::ModelProto& model);

}  // namespace assay::model
