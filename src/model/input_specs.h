// The inputs that a data loader has to provide for a model.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "tensor/tensor_spec.h"

namespace assay::model {

// Returns the inputs of the graph in order, without those that are also initializers. Dimensions that the model leaves
// open are negative.
std::vector<tensor::TensorSpec> input_specs(const Model& model);

// Returns the names of the other inputs, in order: those that are also initializers.
std::vector<std::string> inputs_with_values(const onnx::GraphProto& graph);

// Returns those of the names, inputs with values before a change, that aren't inputs of the model any more, so that
// callers can't set them. Returns none if its IR version requires all initializers to be inputs: those were weights.
std::vector<std::string> lost_inputs(std::vector<std::string> before, const onnx::ModelProto& after);

}  // namespace assay::model
