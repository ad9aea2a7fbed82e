#include "cli/commands.h"

#include <algorithm>
#include <array>

#include "cli/commands/check_accuracy.h"
#include "cli/commands/data_concat.h"
#include "cli/commands/data_merge.h"
#include "cli/commands/debug_build.h"
#include "cli/commands/debug_locate.h"
#include "cli/commands/debug_optimizers.h"
#include "cli/commands/debug_precision.h"
#include "cli/commands/debug_reduce.h"
#include "cli/commands/debug_repeat.h"
#include "cli/commands/debug_versions.h"
#include "cli/commands/inspect_model.h"
#include "cli/commands/run.h"
#include "cli/commands/surgeon_extract.h"
#include "cli/commands/surgeon_sanitize.h"

namespace assay::cli {
namespace {

constexpr std::array kTools = {
    ToolRow{"run", "Run a model in one or more engines and compare the outputs"},
    ToolRow{"inspect", "Show what is in a model"},
    ToolRow{"check", "Judge saved results"},
    ToolRow{"surgeon", "Cut, clean and change models"},
    ToolRow{"data", "Join files of inputs and outputs"},
    ToolRow{"debug", "Find out why a model fails"},
};

constexpr std::array kCommands = {
    CommandRow{
        "run", "", "Run a model in one or more engines and compare the outputs",
        "  run model.onnx --onnxrt\n"
        "  run model.onnx --onnxrt --save-inputs inputs.json --save-outputs golden.json\n"
        "  run model.onnx --onnxrt --load-inputs inputs.json --load-outputs golden.json --atol 1e-3\n"
        "  run model.onnx --onnxrt --onnxrt=old:lib=old.so --openvino --reference --python my_engine.py\n"
        "  run model.onnx --onnxrt --onnxrt --onnxrt-lib old.so --onnxrt-lib new.so --onnx-outputs '*'\n"
        "  run model.onnx --onnxrt --openvino --onnx-outputs @names.txt --memory-budget 2G --format json > layers.json",
        make_command<Run>},
    CommandRow{"inspect", "model", "Show a model's inputs, outputs, weights and nodes",
               "  inspect model model.onnx\n"
               "  inspect model model.onnx --show layers attrs weights\n"
               "  inspect model model.onnx --show layers --format json > model.json",
               make_command<InspectModel>},
    CommandRow{"surgeon", "extract", "Cut a part out of a model",
               "  surgeon extract model.onnx --outputs conv_3:auto -o part.onnx\n"
               "  surgeon extract model.onnx --inputs relu_1:[1,64,56,56]:float32 -o part.onnx\n"
               "  surgeon extract model.onnx --inputs relu_1:auto:auto --outputs relu_2:auto -o part.onnx",
               make_command<SurgeonExtract>},
    CommandRow{"surgeon", "sanitize", "Fold constants, remove unused nodes, change shapes and outputs",
               "  surgeon sanitize model.onnx --fold-constants -o folded.onnx\n"
               "  surgeon sanitize model.onnx --override-input-shapes x:[1,3,224,224] --fold-constants -o fixed.onnx\n"
               "  surgeon sanitize model.onnx --cleanup --toposort -o tidy.onnx",
               make_command<SurgeonSanitize>},
    CommandRow{"data", "merge", "Merge files of inputs or outputs, iteration by iteration, into one file of inputs",
               "  data merge inputs.json outputs.json -o layerwise_inputs.json\n"
               "  data merge weights.npz outputs/ -o inputs.json",
               make_command<DataMerge>},
    CommandRow{"check", "accuracy", "Judge saved comparisons again with other thresholds",
               "  run model.onnx --onnxrt --openvino --compare simple l2 --save-accuracy-results accuracy.json\n"
               "  check accuracy accuracy.json --compare l2 --l2-threshold 1e-3\n"
               "  check accuracy accuracy.json --check-error-stat max --atol 1e-4",
               make_command<CheckAccuracy>},
    CommandRow{"data", "concat", "Concatenate the iterations of several files",
               "  data concat monday.json tuesday.json -o all.json", make_command<DataConcat>},
    CommandRow{
        "debug", "reduce", "Find the few nodes of a model that make it fail",
        "  debug reduce model.onnx -o reduced.onnx --check assay run polygraphy_debug.onnx --onnxrt\n"
        "  debug reduce model.onnx -o reduced.onnx --fail-regex \"Type Error\" --check ./try.sh polygraphy_debug.onnx\n"
        "  debug reduce model.onnx -o reduced.onnx --mode linear --load-inputs layers.json --check \\\n"
        "      assay run polygraphy_debug.onnx --onnxrt --load-inputs layers.json --load-outputs golden.json",
        make_command<DebugReduce>},
    CommandRow{"debug", "locate", "Find the first tensor at which two engines diverge",
               "  debug locate model.onnx --onnxrt --openvino -o piece.onnx\n"
               "  debug locate model.onnx --onnxrt=slow:graph-optimization-level=ORT_DISABLE_ALL --onnxrt --atol 1e-3\n"
               "  debug locate model.onnx --onnxrt --load-inputs in.json --load-outputs golden.json --format json\n"
               "  debug locate model.onnx --onnxrt --fp16 -o piece.onnx\n"
               "  debug locate model_fp16.onnx --onnxrt --against model.onnx --rtol 1e-2 --atol 1e-2 -o piece.onnx",
               make_command<DebugLocate>},
    CommandRow{"debug", "optimizers", "Find the optimisation of an engine that changes a model's outputs",
               "  debug optimizers model.onnx --onnxrt\n"
               "  debug optimizers model.onnx --onnxrt --load-inputs in.json --atol 1e-3 --format json\n"
               "  debug optimizers model.onnx --openvino --input-shapes x:[1,3,224,224]",
               make_command<DebugOptimizers>},
    CommandRow{"debug", "precision", "Find the nodes that have to stay in float32 if the others run in float16",
               "  debug precision model.onnx --onnxrt -o mixed.onnx\n"
               "  debug precision model.onnx --onnxrt --mode bisect --rtol 1e-3 --atol 1e-3\n"
               "  debug precision model.onnx -o mixed.onnx --check ./accuracy.sh polygraphy_debug.onnx",
               make_command<DebugPrecision>},
    CommandRow{
        "debug", "build", "Build an engine repeatedly and sort good ones from bad ones",
        "  debug build model.onnx --onnxrt --until bad --artifacts polygraphy_debug.onnx --check \\\n"
        "      assay run polygraphy_debug.onnx --onnxrt --load-inputs in.json --load-outputs golden.json\n"
        "  debug build model.onnx --openvino --until 20 --iter-artifact model.blob --check ./try_blob.sh model.blob",
        make_command<DebugBuild>},
    CommandRow{"debug", "versions", "Find the first version of ONNX Runtime in which a model fails",
               "  debug versions model.onnx --onnxrt-libs 1.20/lib 1.21/lib 1.22/lib\n"
               "  debug versions model.onnx --onnxrt-libs */lib --load-inputs in.json --load-outputs golden.json",
               make_command<DebugVersions>},
    CommandRow{"debug", "repeat", "Run a command repeatedly and sort the files that it writes",
               "  debug repeat --until bad --artifacts out.json --check ./flaky.sh\n"
               "  debug repeat --until 20 --show-output --check assay run model.onnx --onnxrt",
               make_command<DebugRepeat>},
};

constexpr std::string_view kTensorRt = "it works on TensorRT engines, and this build has no TensorRT worker";
constexpr std::string_view kNotYet = "not implemented in this version";

constexpr std::array kMissing = {
    MissingRow{"convert", "", kNotYet},
    MissingRow{"inspect", "data", kNotYet},
    MissingRow{"inspect", "tactics", kTensorRt},
    MissingRow{"inspect", "capability", kTensorRt},
    MissingRow{"inspect", "diff-tactics", kTensorRt},
    MissingRow{"inspect", "sparsity", kNotYet},
    MissingRow{"check", "", kNotYet},
    MissingRow{"surgeon", "insert", kNotYet},
    MissingRow{"surgeon", "prune", kNotYet},
    MissingRow{"surgeon", "weight-strip", kNotYet},
    MissingRow{"surgeon", "weight-reconstruct", kNotYet},
    MissingRow{"template", "", kNotYet},
    MissingRow{"plugin", "", kNotYet},
    MissingRow{"multi-device", "", kNotYet},
};

// Older names of commands.
struct Alias {
  std::string_view tool, noun, new_noun;
};
constexpr std::array kAliases = {Alias{"data", "to-input", "merge"}};

}  // namespace

std::span<const ToolRow> tools() {
  return kTools;
}
std::span<const CommandRow> commands() {
  return kCommands;
}
std::span<const MissingRow> missing_commands() {
  return kMissing;
}

const CommandRow* find_command(std::string_view tool, std::string_view noun) {
  for (const Alias& alias : kAliases) {
    if (alias.tool == tool && alias.noun == noun) noun = alias.new_noun;
  }
  const auto at =
      std::ranges::find_if(kCommands, [&](const CommandRow& row) { return row.tool == tool && row.noun == noun; });
  return at == kCommands.end() ? nullptr : &*at;
}

}  // namespace assay::cli
