// The order of elements in memory, for inputs and outputs whose formats were chosen with setAllowedFormats().
#pragma once

#include "compute.h"

namespace fake_tensorrt {

// Returns the format that an engine has of those that are allowed: the last one, since a test that allows others than
// row-major wants to see them.
[[nodiscard]] nvinfer1::TensorFormat chosen_format(const GraphTensor& tensor);

// Returns the number of bytes that are stored, with padding.
[[nodiscard]] std::size_t stored_size(const GraphTensor& tensor, const nvinfer1::Dims& dims);
// Returns the distances between neighbours along each axis: in vectors of channels, or else in elements.
[[nodiscard]] nvinfer1::Dims strides_of(const GraphTensor& tensor, const nvinfer1::Dims& dims);
// Copies row-major elements to memory in the tensor's format, and back.
void store(const GraphTensor& tensor, const Value& value, std::byte* memory);
[[nodiscard]] Value restore(const GraphTensor& tensor, const nvinfer1::Dims& dims, const std::byte* memory);

}  // namespace fake_tensorrt
