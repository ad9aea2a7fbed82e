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
    "Use this many threads within an operator (default: the engine's). Give it once for all engines, or once for each";

constexpr EngineSetting kOnnxRuntime[] = {
    {"--onnxrt-lib", "lib", kLibrary, Form::value,
     "Use this ONNX Runtime library (default: the first that `assay --version` lists)"},
    {"--providers,--execution-providers", "providers", "providers", Form::list,
     "Use these execution providers, tried in this order; part of a name is enough (default: cpu)"},
    {"--graph-optimization-level", "graph-optimization-level", "graph_optimization_level", Form::value,
     "Set ONNX Runtime's optimisation level: ORT_DISABLE_ALL, ORT_ENABLE_BASIC, ORT_ENABLE_EXTENDED, ORT_ENABLE_LAYOUT "
     "or ORT_ENABLE_ALL (default)"},
    {kThreads, "threads", "intra_op_threads", Form::value, kThreadsHelp},
    {"--session-config", "config", "config", Form::entries,
     "Set session configuration entries of ONNX Runtime, KEY=VALUE"},
};

constexpr EngineSetting kOpenVino[] = {
    {"--openvino-lib", "lib", kLibrary, Form::value,
     "Use this libopenvino_c.so (default: the first that `assay --version` lists)"},
    {"--openvino-device", "device", "device", Form::value, "Run the model on this OpenVINO device (default: CPU)"},
    {kThreads, "threads", "config.INFERENCE_NUM_THREADS", Form::value, kThreadsHelp},
    {"--openvino-config", "config", "config", Form::entries, "Set properties of the OpenVINO device, KEY=VALUE"},
};

base::Expected<fs::path> find_interpreter(const EngineRow&, const std::string& named,
                                          const backend::EngineSearch& search) {
  return backend::find_python(named, search);
}

constexpr EngineSetting kPython[] = {
    {"--python-interpreter", "interpreter", kLibrary, Form::value,
     "Run --python and --reference in this Python (default: that of the active virtual environment, else python3)"},
};

constexpr EngineRow kEngines[] = {
    {"--onnxrt", "", "onnxruntime", "onnxrt", "ONNX Runtime",
     "Run the model in ONNX Runtime. Flags of engines may be repeated; they run in the order given", kOnnxRuntime,
     find_shared_library},
    {"--openvino", "", "openvino", "openvino", "OpenVINO", "Run the model in OpenVINO; may be repeated", kOpenVino,
     find_shared_library},
    {"--python", "FILE", "python", "python", "Python module",
     "Run the model in your own Python module with functions load(path) and infer(model, feeds); may be repeated",
     kPython, find_interpreter, "module"},
    {"--reference", "", "python", "reference", "ONNX reference evaluator",
     "Run the model in the reference evaluator of the Python package onnx; may be repeated", kPython, find_interpreter,
     "module", "reference"},
};

}  // namespace

std::span<const EngineRow> engine_rows() {
  return kEngines;
}

}  // namespace assay::cli
