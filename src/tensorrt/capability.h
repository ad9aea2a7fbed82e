// The answer of TensorRT's parser about an ONNX model: which nodes it takes, and why it refuses the others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::tensorrt {

// Nodes by their indices in the model, in rising order.
struct CapabilityGroup {
  std::vector<std::size_t> nodes;
  bool supported = false;
};

struct CapabilityError {
  std::string node;         // name, or "#4" without one
  std::string op_type;      // operator
  std::string reason;       // the parser's words
  std::string stack_trace;  // "outer -> inner": the local functions that the node is in; empty: none
};

struct Capability {
  bool supported = false;  // the whole model is
  std::vector<CapabilityGroup> groups;
  std::vector<CapabilityError> errors;
};

// Both are JSON, with which the worker tells the command line. Errors of reading: invalid_input.
std::string capability_json(const Capability& capability);
base::Expected<Capability> parse_capability(std::string_view text);

}  // namespace assay::tensorrt
