// Compares a weight of one model with a weight of another.
#pragma once

#include "model/model.h"

namespace assay::surgeon {

// Returns whether both have the same type, shape and values, bit by bit. Reads the values if type and shape are the
// same; weights whose values can't be read are different.
bool same_weight(const model::Model& model, const onnx::TensorProto& weight, const model::Model& other_model,
                 const onnx::TensorProto& other);

}  // namespace assay::surgeon
