// Prints the layers of a TensorRT engine as JSON for programs.
#pragma once

#include <string>

#include "inspect/model_description.h"
#include "tensorrt/engine_info.h"

namespace assay::inspect {

// Returns one object, indented by 2:
//   {"layer_count", "names_only", "attributes": {name: value},
//    "profiles": [{"index", "bindings": [BINDING], "layer_count", "layers": [LAYER]}]}
//   TENSOR: {"name", "dtype": "float32" or null, "shape": [3, -1] or null, "format", "location", "attributes"}
//   With values of a run (engine_values.h), a TENSOR that has them also has "values": {"min", "max", "mean"}.
//   BINDING: a TENSOR with "direction": "input", "output" or null
//   LAYER: {"name", "op", "inputs": [TENSOR], "outputs": [TENSOR], "onnx_nodes": [name],
//           "tactic": {"name", "value"}, "weights": {"type", "count", "attributes"} or null, "constants": [TENSOR],
//           "metadata", "attributes"}
// Uses `layers` and `attributes` of the options: without them, "layers", and the members after "shape" and after
// "onnx_nodes", are left out. Attributes are the members of TensorRT's JSON that aren't shown elsewhere.
std::string engine_json(const tensorrt::EngineInfo& engine, const DescribeOptions& options);

}  // namespace assay::inspect
