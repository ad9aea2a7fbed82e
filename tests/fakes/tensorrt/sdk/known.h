// Finds the shapes of a network's tensors before it runs, and the values of small tensors on which shapes may depend.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph.h"

namespace fake_tensorrt {

struct Known {
  std::vector<nvinfer1::Dims> shapes;
  std::vector<std::optional<std::vector<double>>> numbers;
};

// Adds what is known of the layer's output: its shape, with -1 for what isn't known before it runs, and its numbers, if
// those of all inputs are known. Returns false if the inputs don't fit together.
bool infer_layer(const Graph& graph, const GraphLayer& layer, Known& known);
// Infers all layers. The caller has set what is known of the inputs.
bool infer_shapes(const Graph& graph, Known& known);

// Returns for each tensor whether a shape depends on its values, as ITensor::isShapeTensor() says.
[[nodiscard]] std::vector<bool> shape_tensors(const Graph& graph);

// Returns the bytes of all tensors that aren't inputs or outputs, as far as their shapes are known.
[[nodiscard]] std::size_t activation_bytes(const Graph& graph, const std::vector<nvinfer1::Dims>& shapes);

// Returns the input in whose memory this output has to be, or nothing.
[[nodiscard]] std::optional<int> aliased_input(const Graph& graph, int output);

}  // namespace fake_tensorrt
