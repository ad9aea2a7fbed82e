// Reads and creates weights: the only place that interprets a TensorProto's data.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::model {

// Return the element type and the shape of a tensor, from its message alone.
tensor::ElementType element_type(const onnx::TensorProto& proto);
tensor::Shape shape(const onnx::TensorProto& proto);
// Returns the size of the tensor's data in bytes, computed from type and shape; 0 for strings and impossible shapes.
std::uint64_t data_bytes(const onnx::TensorProto& proto);

// Returns whether the tensor isn't external and has elements by its shape, but no values, as after `surgeon
// weight-strip`.
bool has_no_values(const onnx::TensorProto& proto);

// Returns the values of an initializer or attribute of `model`. For a weight by reference, this is a view of its mapped
// file (no copy); inline data is copied. Errors: not_found or invalid_input if the data is missing or too short;
// unsupported if it was not loaded (weights_ignored) or is stored in segments.
base::Expected<tensor::Tensor> read_weight(const Model& model, const onnx::TensorProto& proto);

// Returns a message with the tensor's values as raw_data (strings as string_data).
onnx::TensorProto to_proto(const std::string& name, const tensor::Tensor& tensor);

}  // namespace assay::model
