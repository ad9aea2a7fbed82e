// The network as plain data: what a network definition fills, a plan stores and a context runs.
#pragma once

#include <NvInfer.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fake_tensorrt {

struct GraphTensor {
  std::string name = {};
  nvinfer1::DataType type = nvinfer1::DataType::kFLOAT;     // of the layers that write and read it
  nvinfer1::DataType io_type = nvinfer1::DataType::kFLOAT;  // of the buffer, for inputs and outputs (setType)
  nvinfer1::Dims dims = {};
  std::uint32_t formats = 0;  // set by setAllowedFormats; 0 if all are allowed
  bool is_debug = false;
};

struct GraphLayer {
  std::string name = {};
  std::string metadata = {};
  nvinfer1::LayerType type = nvinfer1::LayerType::kIDENTITY;
  int operation = 0;                                                 // ActivationType or ElementWiseOperation
  std::vector<int> inputs = {};                                      // indices of tensors
  std::vector<int> outputs = {};                                     // indices of tensors
  std::optional<nvinfer1::DataType> precision = {};                  // set by setPrecision
  std::vector<std::optional<nvinfer1::DataType>> output_types = {};  // set by setOutputType
  std::vector<std::uint8_t> weights = {};                            // of a constant, in row-major order
  nvinfer1::DataType weights_type = nvinfer1::DataType::kFLOAT;
  nvinfer1::Dims weights_dims = {};
  std::int64_t weights_count = 0;
  std::string op = {};                                         // operators/operators.h; empty: another layer
  std::map<std::string, std::vector<double>> attributes = {};  // of such an operator
  int tactic = 0;                                              // the one that the builder chose
};

// A deque doesn't move its elements, so that the names that the interfaces have returned stay valid.
struct Graph {
  std::string name;
  std::deque<GraphTensor> tensors;
  std::deque<GraphLayer> layers;  // in topological order
  std::vector<int> inputs;        // indices of tensors
  std::vector<int> outputs;       // indices of tensors
  bool all_debug = false;         // markUnfusedTensorsAsDebugTensors
};

[[nodiscard]] std::optional<int> find_tensor(const Graph& graph, const std::string& name);
[[nodiscard]] bool is_input(const Graph& graph, int tensor);
[[nodiscard]] bool is_output(const Graph& graph, int tensor);
// Returns whether the tensor is inside a loop or a conditional. Neither is in another one here.
[[nodiscard]] bool is_interior(const Graph& graph, int tensor);
// Returns the layer before this one with which the builder fuses it, if there is one: both are sums, and nothing else
// reads the result of the first.
[[nodiscard]] std::optional<int> fused_before(const Graph& graph, int layer);

}  // namespace fake_tensorrt
