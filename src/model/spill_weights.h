// Weights that were computed, out of memory again.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::model {

// Messages for the tensors, under these names and in this order. Those of at least kByReference bytes are written to
// one file in the system's temporary folder, whose name goes away at once (the space when the last copy of the model
// does), and are weights by reference to it, as if they had been inline; the others, and strings, hold their values.
// Errors: io where the temporary folder is full or cannot be written.
base::Expected<std::vector<onnx::TensorProto>> spill_weights(
    Model& model, const std::vector<std::pair<std::string, tensor::Tensor>>& weights);

}  // namespace assay::model
