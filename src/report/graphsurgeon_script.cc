#include "report/graphsurgeon_script.h"

#include "report/program_text.h"
#include "templates/embedded.h"

namespace assay::report {

std::string python_text(const GraphSurgeonScript& script) {
  constexpr std::string_view kPlace = "@SETTINGS@\n";
  const std::vector<Setting> settings = {
      {"MODEL", script.model},
      {"RESULT", script.result},
      {"EXTERNAL_DATA_DIR", script.external_data_dir, "empty: the model's folder"},
      {"LOAD_EXTERNAL_DATA", script.load_external_data},
      // ONNX-GraphSurgeon can only save outputs whose types are known.
      {"INFER_SHAPES", script.infer_shapes || !script.outputs.empty()},
      {"SAVE_EXTERNAL_DATA", script.save_external_data, "a model of more than 2 GB needs it"},
      {"OUTPUTS", script.outputs, "tensors that become the outputs; empty: the model's own"},
  };
  std::string text(kGraphSurgeonScript);
  text.replace(text.find(kPlace), kPlace.size(), python_settings(settings));
  return text;
}

}  // namespace assay::report
