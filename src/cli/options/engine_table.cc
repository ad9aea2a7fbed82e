#include "cli/options/engine_table.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using Form = EngineSetting::Form;

base::Expected<fs::path> find_shared_library(const EngineRow& row, const std::string& named,
                                             const backend::EngineSearch& search) {
  backend::EngineSearch with_option = search;
  with_option.libraries[std::string(row.kind)].option = named;
  ASSAY_ASSIGN(const backend::FoundEngine found, backend::find_library(row.kind, with_option));
  return found.library;
}

constexpr std::string_view kThreads = "--threads";
constexpr std::string_view kThreadsHelp =
    "Threads for one operator; once for all engines that have them, or once for each";

constexpr EngineSetting kOnnxRuntime[] = {
    {"--onnxrt-lib", "lib", kLibrary, Form::value, "The library to run"},
    {"--providers,--execution-providers", "providers", "providers", Form::list,
     "Execution providers, tried in this order; part of a name is enough (default: cpu)"},
    {"--graph-optimization-level", "graph-optimization-level", "graph_optimization_level", Form::value,
     "ORT_DISABLE_ALL, ORT_ENABLE_BASIC, ORT_ENABLE_EXTENDED, ORT_ENABLE_LAYOUT or ORT_ENABLE_ALL (default)"},
    {kThreads, "threads", "intra_op_threads", Form::value, kThreadsHelp},
    {"--session-config", "config", "config", Form::entries, "Session configuration entries, KEY=VALUE"},
};

constexpr EngineSetting kOpenVino[] = {
    {"--openvino-lib", "lib", kLibrary, Form::value, "The libopenvino_c.so to run"},
    {"--openvino-device", "device", "device", Form::value, "Where OpenVINO runs the model (default: CPU)"},
    {kThreads, "threads", "config.INFERENCE_NUM_THREADS", Form::value, kThreadsHelp},
    {"--openvino-config", "config", "config", Form::entries, "Properties of the device, KEY=VALUE"},
};

base::Expected<fs::path> find_interpreter(const EngineRow&, const std::string& named,
                                          const backend::EngineSearch& search) {
  return backend::find_python(named, search);
}

constexpr EngineSetting kPython[] = {
    {"--python-interpreter", "interpreter", kLibrary, Form::value,
     "The Python that runs --python and --reference (default: python3)"},
};

constexpr EngineRow kEngines[] = {
    {"--onnxrt", "", "onnxruntime", "onnxrt", "ONNX Runtime",
     "Run in ONNX Runtime; may be repeated. Runners run in the order given", kOnnxRuntime, find_shared_library},
    {"--openvino", "", "openvino", "openvino", "OpenVINO", "Run in OpenVINO; may be repeated", kOpenVino,
     find_shared_library},
    {"--python", "FILE", "python", "python", "Python module",
     "Run in a Python module of your own, with functions load(path) and infer(model, feeds); may be repeated", kPython,
     find_interpreter, "module"},
    {"--reference", "", "python", "reference", "ONNX reference evaluator",
     "Run in the reference evaluator of the onnx package; may be repeated", kPython, find_interpreter, "module",
     "reference"},
};

}  // namespace

std::span<const EngineRow> engine_rows() {
  return kEngines;
}

}  // namespace assay::cli
