// The programs' constants for OpenVINO, from its worker's options (backend/openvino_options.h), and the model's own
// names of its outputs: OpenVINO keeps the order of outputs, but may rename them.
#include "report/program_engines.h"

namespace assay::report {

std::vector<Setting> openvino_settings(const ReproInput& input) {
  std::vector<std::string> outputs;
  for (const onnx::ValueInfoProto& output : input.model.graph().output()) outputs.push_back(output.name());
  return {{"DEVICE", option(input.engine.options, "device", "CPU"), ""},
          {"PROPERTIES", options_below(input.engine.options, "config."), "of the device"},
          {"OUTPUTS", outputs, "of the model, in its order"}};
}

}  // namespace assay::report
