// The inputs that a data loader has to provide for a model.
#pragma once

#include <vector>

#include "model/model.h"
#include "tensor/tensor_spec.h"

namespace assay::model {

// Returns the inputs of the graph in order, without those that are also initializers. Dimensions that the model leaves
// open are negative.
std::vector<tensor::TensorSpec> input_specs(const Model& model);

}  // namespace assay::model
