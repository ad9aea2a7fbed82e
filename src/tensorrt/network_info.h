// A network as TensorRT's parser made it from an ONNX model, before an engine is built: its layers and their
// attributes, and the tensors that can be outputs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::tensorrt {

struct NetworkTensor {
  std::string name;
  std::string type;                 // as Assay spells it: "float32"
  std::vector<std::int64_t> shape;  // negative: known at run time only
  bool known_rank = false;
  bool is_output = false;     // of the network
  bool holds_values = false;  // false for a tensor that is only computed to find out shapes
};

struct NetworkAttribute {
  std::string name;   // as in TensorRT's Python API: "kernel_size_nd"
  std::string value;  // JSON: "[3,3]", "\"RELU\""
};

// Weights that a layer holds itself: those of a convolution, or the value of a constant.
struct NetworkWeights {
  std::string name;  // of the attribute: "kernel"
  std::string type;
  std::vector<std::int64_t> shape;
  std::uint64_t offset = 0;  // of the values in the file of weights, in bytes
};

struct NetworkLayer {
  std::string name;
  std::vector<std::string> inputs;  // names of tensors; without omitted optional ones
  std::vector<NetworkTensor> outputs;
  std::string kind{};  // enumerator of LayerType: "CONVOLUTION"
  std::vector<NetworkAttribute> attributes{};
  std::vector<NetworkWeights> weights{};
};

struct NetworkInfo {
  std::string name;
  bool strongly_typed = false;
  std::vector<NetworkTensor> inputs;    // of the network
  std::vector<NetworkLayer> layers;     // without constants
  std::vector<NetworkLayer> constants;  // have no inputs
  std::vector<NetworkTensor> outputs;   // of the network, in its order; constants can be among them
};

// Returns whether the builder can be told to compute the layer in a floating-point type: all that it computes are
// floating-point or quantized values.
bool has_precision(const NetworkLayer& layer);

// Both are JSON, with which the worker tells the command line. Errors of reading: invalid_input.
std::string network_json(const NetworkInfo& network);
base::Expected<NetworkInfo> parse_network(std::string_view text);

}  // namespace assay::tensorrt
