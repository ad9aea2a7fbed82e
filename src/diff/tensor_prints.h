// Fingerprints of all tensors of a model: its weights and the tensors in attributes. Weights are read in a stream, so a
// model of any size needs a few MB of memory.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <unordered_map>

#include "base/error.h"
#include "diff/fingerprint.h"
#include "model/model.h"

namespace assay::diff {

struct TensorPrint {
  Fingerprint declared;  // of element type and shape
  Fingerprint value;     // of element type, shape and elements; equals `declared` if they are missing or weren't loaded
};

// By message, which belongs to the model.
using TensorPrints = std::unordered_map<const onnx::TensorProto*, TensorPrint>;

// How a tensor is stored (as raw bytes, numbers or external data) doesn't matter. Reads the files front to back.
// Errors: those of model::read_weight(), naming the tensor.
base::Expected<TensorPrints> print_tensors(const model::Model& model);

}  // namespace assay::diff
