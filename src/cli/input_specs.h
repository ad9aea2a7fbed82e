// What a data loader has to give for a model.
#pragma once

#include <vector>

#include "model/model.h"
#include "tensor/tensor_spec.h"

namespace assay::cli {

// The inputs of the graph, in their order, but for those that are initializers too. Sizes that the model leaves open
// are below zero.
std::vector<tensor::TensorSpec> input_specs(const model::Model& model);

}  // namespace assay::cli
