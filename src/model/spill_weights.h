// Moves computed weights out of memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::model {

// Returns messages for the tensors, under these names and in this order. Tensors of at least kByReference bytes become
// weights by reference, as if they had been inline, to a file in the system's temporary folder. Its name is removed at
// once, its space is freed with the last copy of the model. Smaller tensors, and strings, hold their values. Adds the
// file to model.files. Errors: io if the temporary folder is full or not writable.
base::Expected<std::vector<onnx::TensorProto>> spill_weights(
    Model& model, const std::vector<std::pair<std::string, tensor::Tensor>>& weights);

}  // namespace assay::model
