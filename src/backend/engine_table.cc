#include "backend/engine_table.h"

#include <algorithm>
#include <cassert>

#include "backend/provider_names.h"

namespace assay::backend {
namespace {

using Form = EngineSetting::Form;

constexpr std::string_view kThreads = "--threads";
constexpr std::string_view kThreadsHelp =
    "Use this many threads within an operator (default: the engine's). Give it once for all engines, or once for each";

// GraphOptimizationLevel of ONNX Runtime's C API.
constexpr EngineSetting::Value kLevels[] = {{"ORT_DISABLE_ALL", 0},
                                            {"ORT_ENABLE_BASIC", 1},
                                            {"ORT_ENABLE_EXTENDED", 2},
                                            {"ORT_ENABLE_LAYOUT", 3},
                                            {"ORT_ENABLE_ALL", 99}};

constexpr EngineSetting kOnnxRuntime[] = {
    {.flags = "--onnxrt-lib",
     .name = "lib",
     .key = kLibrary,
     .form = Form::value,
     .help = "Use this ONNX Runtime library (default: the first that `assay --version` lists)"},
    {.flags = "--providers,--execution-providers",
     .name = "providers",
     .key = "providers",
     .form = Form::list,
     .help = "Use these execution providers, tried in this order, such as cuda cpu; part of a name is enough (default: "
             "cpu)",
     .usual = kProviderNames,
     .constant = "PROVIDERS",
     .constant_comment = "names or parts of names; empty: the CPU"},
    {.flags = "--provider-options",
     .name = "provider-options",
     .key = "provider_options",
     .form = Form::entries,
     .help = "Set options of execution providers, PROVIDER.KEY=VALUE, such as cuda.device_id=1; part of a provider's "
             "name is enough",
     .constant = "PROVIDER_OPTIONS",
     .constant_comment = "by PROVIDER.KEY"},
    {.flags = "--graph-optimization-level",
     .name = "graph-optimization-level",
     .key = "graph_optimization_level",
     .form = Form::value,
     .help = "Set ONNX Runtime's optimisation level",
     .default_value = "ORT_ENABLE_ALL",
     .values = kLevels,
     .constant = "GRAPH_OPTIMIZATION_LEVEL"},
    {.flags = kThreads,
     .name = "threads",
     .key = "intra_op_threads",
     .form = Form::number,
     .help = kThreadsHelp,
     .constant = "INTRA_OP_THREADS",
     .constant_comment = "0: the engine's choice"},
    {.flags = "--custom-ops",
     .name = "custom-ops",
     .key = "custom_ops",
     .form = Form::list,
     .help = "Load these libraries of custom operators, which export RegisterCustomOps",
     .constant = "CUSTOM_OPS",
     .constant_comment = "libraries of custom operators",
     .files = true},
    {.flags = "--session-config",
     .name = "config",
     .key = "config",
     .form = Form::entries,
     .help = "Set session configuration entries of ONNX Runtime, KEY=VALUE, such as session.disable_prepacking=1",
     .constant = "SESSION_CONFIG"},
};

constexpr EngineSuspect kOnnxRuntimeSuspects[] = {
    {.what = "pre-packing of weights is disabled", .option = {"config.session.disable_prepacking", "1"}},
    {.what = "denormal numbers are set to zero", .option = {"config.session.set_denormal_as_zero", "1"}},
};

constexpr EngineSetting kOpenVino[] = {
    {.flags = "--openvino-lib",
     .name = "lib",
     .key = kLibrary,
     .form = Form::value,
     .help = "Use this libopenvino_c.so (default: the first that `assay --version` lists)"},
    {.flags = "--openvino-device",
     .name = "device",
     .key = "device",
     .form = Form::value,
     .help = "Run the model on this OpenVINO device (default: CPU)",
     .default_value = "CPU",
     .constant = "DEVICE"},
    // One of the properties, so PROPERTIES has it in the programs.
    {.flags = kThreads,
     .name = "threads",
     .key = "config.INFERENCE_NUM_THREADS",
     .form = Form::number,
     .help = kThreadsHelp},
    {.flags = "--openvino-config",
     .name = "config",
     .key = "config",
     .form = Form::entries,
     .help = "Set properties of the OpenVINO device, KEY=VALUE, such as INFERENCE_PRECISION_HINT=f32",
     .constant = "PROPERTIES",
     .constant_comment = "of the device"},
};

constexpr EngineSetting kPython[] = {
    {.flags = "--python-interpreter",
     .name = "interpreter",
     .key = kLibrary,
     .form = Form::value,
     .help = "Run --python, --reference, scripts and LPIPS in this Python (default: that of the active virtual "
             "environment, else python3)"},
};

constexpr EngineSetting kTensorRt[] = {
    {.flags = "--trt-lib",
     .name = "lib",
     .key = kLibrary,
     .form = Form::value,
     .help = "Use this libnvinfer.so (default: the first that `assay --version` lists)"},
    {.flags = "--trt-device",
     .name = "device",
     .key = "device",
     .form = Form::number,
     .help = "Run TensorRT on this GPU, counted from 0 (default: 0)"},
    {.flags = "--python-interpreter",
     .name = "interpreter",
     .key = kScriptPython,
     .form = Form::value,
     .help = "Run scripts in this Python, which needs the package tensorrt (default: that of the active virtual "
             "environment, else python3)"},
};

// Where NVIDIA's packages install it.
constexpr std::string_view kTensorRtFolders[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                                                 "/usr/local/tensorrt/lib", "/opt/tensorrt/lib"};

constexpr EngineRow kEngines[] = {
    {.flag = "--onnxrt",
     .value = "",
     .kind = "onnxruntime",
     .runner = "onnxrt",
     .name = "ONNX Runtime",
     .help = "Run the model in ONNX Runtime. Flags of engines may be repeated; they run in the order given. A flag can "
             "name its runner and give it settings of its own: --onnxrt=old:lib=old.so,threads=1",
     .settings = kOnnxRuntime,
     .library = {.file = "libonnxruntime.so",
                 .package = "onnxruntime/capi",
                 .pip = "onnxruntime",
                 .variable = "ASSAY_ONNXRUNTIME_LIB"},
     .saves_built = true,
     .in_polygraphy = true,
     .starts_quickly = true,
     .computes_values = true,
     .exact = {"graph_optimization_level", "ORT_DISABLE_ALL"},
     .one_thread = {"intra_op_threads", "1"},
     .suspects = kOnnxRuntimeSuspects},
    {.flag = "--openvino",
     .value = "",
     .kind = "openvino",
     .runner = "openvino",
     .name = "OpenVINO",
     .help = "Run the model in OpenVINO; may be repeated",
     .settings = kOpenVino,
     .library =
         {.file = "libopenvino_c.so", .package = "openvino/libs", .pip = "openvino", .variable = "ASSAY_OPENVINO_LIB"},
     .saves_built = true,
     .renames_outputs = true,
     .computes_values = true,
     .full_precision = {"config.INFERENCE_PRECISION_HINT", "f32"},
     .one_thread = {"config.INFERENCE_NUM_THREADS", "1"}},
    {.flag = "--python",
     .value = "FILE",
     .kind = "python",
     .runner = "python",
     .name = "Python module",
     .help = "Run the model in your own Python module with functions load(path) and infer(model, feeds); may be "
             "repeated",
     .settings = kPython,
     .value_key = "module"},
    {.flag = "--reference",
     .value = "",
     .kind = "python",
     .runner = "reference",
     .name = "ONNX reference evaluator",
     .help = "Run the model in the reference evaluator of the Python package onnx; may be repeated",
     .settings = kPython,
     .value_key = "module",
     .fixed_value = "reference",
     .computes_values = true},
    {.flag = "--pluginref",
     .value = "",
     .kind = "python",
     .runner = "pluginref",
     .name = "ONNX reference evaluator",
     .help = "The same as --reference, but for the runner's name: Polygraphy's flag for its own evaluator, which knows "
             "three operators",
     .settings = kPython,
     .value_key = "module",
     .fixed_value = "reference",
     .in_polygraphy = true},
    {.flag = "--trt",
     .value = "",
     .kind = "tensorrt",
     .runner = "trt",
     .name = "TensorRT",
     .help = "Build the model with TensorRT 10 or 11 and run it on an NVIDIA GPU; may be repeated",
     .settings = kTensorRt,
     .library = {.file = "libnvinfer.so",
                 .package = "tensorrt_libs",
                 .pip = "tensorrt",
                 .variable = "ASSAY_TENSORRT_LIB",
                 .major = ASSAY_TENSORRT_MAJOR,  // of the worker, which takes no other
                 .folders = kTensorRtFolders},
     .worker_needs = "the headers of TensorRT 10 or 11 and of CUDA",
     .opens_by_name = true,
     .saves_built = true,
     .has_tensorrt_settings = true,
     .in_polygraphy = true},
};

}  // namespace

void EngineOption::set_in(std::map<std::string, std::string>& options) const {
  if (!key.empty()) options.insert_or_assign(std::string(key), std::string(value));
}

const EngineSetting& EngineRow::library_setting() const {
  return find_engine_setting(*this, kLibrary);
}

std::span<const EngineRow> engine_rows() {
  return kEngines;
}

const EngineRow* find_engine_row(std::string_view kind) {
  const auto* const row = std::ranges::find(kEngines, kind, &EngineRow::kind);
  return row == std::end(kEngines) ? nullptr : row;
}

const EngineSetting& find_engine_setting(const EngineRow& row, std::string_view key) {
  const auto setting = std::ranges::find(row.settings, key, &EngineSetting::key);
  assert(setting != row.settings.end());
  return *setting;
}

}  // namespace assay::backend
