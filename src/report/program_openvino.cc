// What the programs are told about OpenVINO: its worker's options (backend/openvino_options.h), and the model's own
// names of its outputs, which OpenVINO keeps in their order and may call otherwise.
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
