#include "report/graphsurgeon_script.h"

#include "report/program_text.h"
#include "templates/embedded.h"

namespace assay::report {
namespace {

constexpr std::string_view kLoad =
    R"py(    model = onnx.load(MODEL, load_external_data=LOAD_EXTERNAL_DATA and not EXTERNAL_DATA_DIR)
    if EXTERNAL_DATA_DIR:
        onnx.load_external_data_for_model(model, EXTERNAL_DATA_DIR)
)py";

constexpr std::string_view kConvert = R"py(    with tempfile.TemporaryDirectory() as folder:
        converted = os.path.join(folder, "model.onnx")
        subprocess.run([*CONVERT, "-o", converted], check=True)
        model = onnx.load(converted)
)py";

std::vector<Constant> constants_of(const GraphSurgeonScript& script) {
  std::vector<Constant> constants;
  if (script.convert.empty()) {
    constants = {{"MODEL", script.model},
                 {"RESULT", script.result},
                 {"EXTERNAL_DATA_DIR", script.external_data_dir, "empty: the model's folder"},
                 {"LOAD_EXTERNAL_DATA", script.load_external_data}};
  } else {
    constants = {{"CONVERT", script.convert, "writes the model that is edited"}, {"RESULT", script.result}};
  }
  // ONNX-GraphSurgeon can only save outputs whose types are known.
  constants.push_back({"INFER_SHAPES", script.infer_shapes || !script.outputs.empty()});
  constants.push_back({"SAVE_EXTERNAL_DATA", script.save_external_data, "a model of more than 2 GB needs it"});
  constants.push_back({"OUTPUTS", script.outputs, "tensors that become the outputs; empty: the model's own"});
  return constants;
}

}  // namespace

std::string python_text(const GraphSurgeonScript& script) {
  const bool converts = !script.convert.empty();
  std::string text(kGraphSurgeonScript);
  replace_mark(text, "@NEEDS@", converts ? ", and the command assay" : "");
  replace_mark(text, "@IMPORTS@\n", converts ? "import os\nimport subprocess\nimport tempfile\n\n" : "");
  replace_mark(text, "@CONSTANTS@\n", python_constants(constants_of(script)));
  replace_mark(text, "@LOAD@\n", converts ? kConvert : kLoad);
  return text;
}

}  // namespace assay::report
