// A network as TensorRT's parser made it from an ONNX model, before an engine is built: the layers whose precision can
// be chosen, and the tensors that can be outputs.
#pragma once

#include <cstdint>
#include <optional>
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

struct NetworkLayer {
  std::string name;
  std::vector<std::string> inputs;  // names of tensors
  std::vector<NetworkTensor> outputs;
};

struct NetworkInfo {
  std::vector<NetworkLayer> layers;    // without constants
  std::vector<NetworkTensor> outputs;  // of the network, in its order; constants can be among them
};

// Returns whether the builder can be told to compute the layer in a floating-point type: all that it computes are
// floating-point or quantized values.
bool has_precision(const NetworkLayer& layer);

// Both are JSON, with which the worker tells the command line. Errors of reading: invalid_input.
std::string network_json(const NetworkInfo& network);
base::Expected<NetworkInfo> parse_network(std::string_view text);

}  // namespace assay::tensorrt
