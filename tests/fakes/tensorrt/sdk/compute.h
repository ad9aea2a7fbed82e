// The values of layers: of Identity, Constant, Relu, Add and NonZero here, of all others in operators/. NonZero is here
// because the shape of its output depends on values, which needs an output allocator.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph.h"

namespace fake_tensorrt {

struct Value {
  nvinfer1::Dims dims = {};
  std::vector<std::byte> bytes;
};

// The elements of a tensor of this type as numbers, and back.
[[nodiscard]] std::vector<double> numbers_of(const Value& value, nvinfer1::DataType type);
[[nodiscard]] Value value_of(const std::vector<double>& numbers, nvinfer1::DataType type, const nvinfer1::Dims& dims);

// Returns whether compute() knows this layer for elements of this type.
[[nodiscard]] bool can_compute(nvinfer1::LayerType layer, nvinfer1::DataType type);
// `types`: those of the inputs.
[[nodiscard]] Value compute(const GraphLayer& layer, const std::vector<nvinfer1::DataType>& types,
                            const std::vector<const Value*>& inputs, const nvinfer1::Dims& declared);

// Adds 1 to each float32 number.
[[nodiscard]] Value made_wrong(const Value& value);

// Returns whether convert() knows these types.
[[nodiscard]] bool can_convert(nvinfer1::DataType from, nvinfer1::DataType to);
// Converts at the border of the network, if a tensor there was given another type with setType().
[[nodiscard]] Value convert(Value value, nvinfer1::DataType from, nvinfer1::DataType to);

}  // namespace fake_tensorrt
