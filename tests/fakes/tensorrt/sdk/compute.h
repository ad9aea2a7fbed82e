// Shapes and values of the few layers that the fake knows: Identity, Constant, Relu, Add and NonZero. NonZero is here
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

// Returns the shape of a layer's output, with -1 for what isn't known before it runs; nothing if the inputs don't fit
// together.
[[nodiscard]] std::optional<nvinfer1::Dims> output_shape(const GraphLayer& layer,
                                                         const std::vector<nvinfer1::Dims>& inputs,
                                                         const nvinfer1::Dims& declared);
// Sets the shapes of all tensors but the inputs, which the caller has set. Returns false if inputs don't fit together.
bool infer_shapes(const Graph& graph, std::vector<nvinfer1::Dims>& shapes);

// Returns whether compute() knows this layer for elements of this type.
[[nodiscard]] bool can_compute(nvinfer1::LayerType layer, nvinfer1::DataType type);
[[nodiscard]] Value compute(const GraphLayer& layer, nvinfer1::DataType type, const std::vector<const Value*>& inputs,
                            const nvinfer1::Dims& declared);

// Adds 1 to each float32 number.
[[nodiscard]] Value made_wrong(const Value& value);

// Returns whether convert() knows these types.
[[nodiscard]] bool can_convert(nvinfer1::DataType from, nvinfer1::DataType to);
// Converts at the border of the network, if a tensor there was given another type with setType().
[[nodiscard]] Value convert(Value value, nvinfer1::DataType from, nvinfer1::DataType to);

}  // namespace fake_tensorrt
