// The operators that the fake TensorRT computes besides those that it builds through TensorRT's own interface (Add,
// Identity, NonZero, Relu). They are plain loops over numbers: enough to run real models in tests, and never fast.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "graph.h"

namespace fake_tensorrt {

// An input of an operator. Its numbers are known when it computes. When shapes are inferred, they are known only if
// they don't depend on what the network is fed.
struct Operand {
  nvinfer1::Dims dims = {};
  const std::vector<double>* numbers = nullptr;
};
using Operands = std::vector<Operand>;

struct Operator {
  std::string_view name;  // ONNX's
  nvinfer1::LayerType layer;
  std::size_t least_inputs;
  std::size_t most_inputs;
  unsigned shape_inputs;  // a bit for each input that the shape of the output depends on, as in IShuffleLayer
  // Returns the shape of the output, with -1 for sizes that aren't known; nothing if the inputs don't fit together.
  std::optional<nvinfer1::Dims> (*shape)(const GraphLayer&, const Operands&);
  // Returns the elements of an output of this shape.
  std::vector<double> (*compute)(const GraphLayer&, const Operands&, const nvinfer1::Dims& result);
};

// Returns null for an operator that isn't here.
[[nodiscard]] const Operator* find_operator(std::string_view name);
// Returns the type of an operator's output.
[[nodiscard]] nvinfer1::DataType result_type(const GraphLayer& layer, nvinfer1::DataType first_input);

// Attributes of a layer. Those that the model doesn't give are `otherwise`.
[[nodiscard]] std::int64_t attribute(const GraphLayer& layer, const std::string& name, std::int64_t otherwise);
[[nodiscard]] std::vector<std::int64_t> attributes(const GraphLayer& layer, const std::string& name,
                                                   std::vector<std::int64_t> otherwise);
[[nodiscard]] double real_attribute(const GraphLayer& layer, const std::string& name, double otherwise);

// Returns whole numbers, or nothing if they aren't known.
[[nodiscard]] std::optional<std::vector<std::int64_t>> whole(const Operand& operand);
// Returns an axis counted from the front.
[[nodiscard]] inline int from_front(std::int64_t axis, int rank) {
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}
// Returns the product of the sizes from one axis to the one before another.
[[nodiscard]] std::int64_t product(const nvinfer1::Dims& dims, int from, int to);
[[nodiscard]] std::optional<nvinfer1::Dims> same_shape(const GraphLayer& layer, const Operands& inputs);

// Each file of this folder has the rows of its operators.
[[nodiscard]] std::vector<Operator> elementwise_operators();
[[nodiscard]] std::vector<Operator> shape_operators();
[[nodiscard]] std::vector<Operator> window_operators();
[[nodiscard]] std::vector<Operator> sum_operators();
[[nodiscard]] std::vector<Operator> cache_operators();

}  // namespace fake_tensorrt
