// Protects inputs whose shape the user gave (--model-input-shapes) from the passes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "edit/changes/model_change.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::reduce {

// Removes the changes that would give such an input another size. A change that binds a dynamic dimension of the model
// is modified to bind it to the given size instead, for all inputs that share it. `fixed`: shapes by input; -1 means
// open.
void keep_fixed_inputs(const model::Model& model, const std::map<std::string, tensor::Shape>& fixed,
                       std::vector<edit::ModelChange>& changes);

}  // namespace assay::reduce
