// Reads the inputs and outputs of an ONNX model from its file, for engines that don't report them reliably: OpenVINO
// loses some names and types. python/assay_python/ports.py does the same for engines in Python.
#pragma once

#include <string_view>
#include <vector>

#include "backend/serve/serve.h"

namespace assay::backend {

struct ModelPorts {
  std::vector<worker::Port> inputs;  // without initializers
  std::vector<worker::Port> outputs;
};

// Reads a serialized ModelProto without touching its weights. Returns a Refused in phase load if it isn't a model.
Answer<ModelPorts> read_model_ports(std::string_view model);
// Reads a file or bytes.
Answer<ModelPorts> read_model_ports(const worker::ModelSource& model);

}  // namespace assay::backend
