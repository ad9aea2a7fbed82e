// What an ONNX model takes and gives, as its file says, for engines that do not tell: names and types get lost on the
// way through OpenVINO, and a user's module need not know them.
#pragma once

#include <string_view>
#include <vector>

#include "backend/serve.h"

namespace assay::backend {

struct ModelPorts {
  std::vector<worker::Port> inputs;  // without those that are initializers
  std::vector<worker::Port> outputs;
};

// Of a serialized ModelProto, without touching its weights. Refused in phase load where the bytes are no model.
Answer<ModelPorts> read_model_ports(std::string_view model);
// Of a file or of bytes.
Answer<ModelPorts> read_model_ports(const worker::ModelSource& model);

}  // namespace assay::backend
