// Which tensors have a value among those that the user gives for a reduction.
#pragma once

#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::reduce {

// Returns whether there are values for all inputs of the model that need one (tensor_inputs()).
bool has_inputs(const tensor::NamedTensors& values, const model::Model& model);

// Returns whether there are values of tensors that nodes of the main graph compute.
bool has_results(const tensor::NamedTensors& values, const model::Model& model);

}  // namespace assay::reduce
