// TensorRT's shapes and element types as ours, and back.
#pragma once

#include <NvInferRuntime.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tensor/element_type.h"
#include "tensor/tensor.h"

namespace assay::backend {

// Returns an empty shape for an unknown rank, which our ports spell so, too.
std::vector<std::int64_t> to_shape(const nvinfer1::Dims& dims);
// Returns nullopt for more dimensions than TensorRT has (8).
std::optional<nvinfer1::Dims> to_dims(const std::vector<std::int64_t>& shape);
// Returns the elements of a tensor of int32 or int64, such as a shape; empty for other types.
std::vector<std::int64_t> whole_numbers(const tensor::Tensor& tensor);
// Returns `undefined` for a type that ONNX doesn't have.
tensor::ElementType to_element_type(nvinfer1::DataType type);

}  // namespace assay::backend
