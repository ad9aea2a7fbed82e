// Operators whose results differ from run to run.
#pragma once

#include <onnx/onnx_pb.h>

namespace assay::model {

// Returns whether the node draws random numbers, by its type alone and whatever its domain: engines have operators of
// their own with the same names. A Dropout in training mode isn't recognised.
bool draws_random_numbers(const onnx::NodeProto& node);

// Returns whether the node has a seed, so that it draws the same numbers whenever the model is loaded.
bool has_seed(const onnx::NodeProto& node);

}  // namespace assay::model
