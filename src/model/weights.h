// Reading and making weights: the only place that looks inside a TensorProto's data.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::model {

// Element type and shape of an initializer, from its message alone.
tensor::ElementType element_type(const onnx::TensorProto& proto);
tensor::Shape shape(const onnx::TensorProto& proto);
// Bytes of its data, computed from type and shape; 0 for strings and for impossible shapes.
std::uint64_t data_bytes(const onnx::TensorProto& proto);

// The values of an initializer or attribute of `model`. A weight by reference gives a view of its mapped file (no
// copy); inline data is copied. Errors: not_found/invalid_input where the data is missing, outside the folder or too
// short.
base::Expected<tensor::Tensor> read_weight(const Model& model, const onnx::TensorProto& proto);

// A message with the tensor's values as raw_data (strings as string_data).
onnx::TensorProto to_proto(const std::string& name, const tensor::Tensor& tensor);

}  // namespace assay::model
