#include "cli/commands.h"

#include <algorithm>
#include <array>

#include "cli/commands/make_commands.h"

namespace assay::cli {
namespace {

constexpr std::array kTools = {
    ToolRow{"run", "Run a model in one or more engines and compare the outputs"},
    ToolRow{"debug", "Reduce a failing model, or find the layer, setting or version at fault"},
    ToolRow{"diagnose", "Find out step by step what is wrong with a model in an engine"},
    ToolRow{"check", "Check models, and judge saved results"},
    ToolRow{"inspect", "Show what is in models, saved data and tactic replays"},
    ToolRow{"diff", "Show what changed between two models"},
    ToolRow{"surgeon", "Cut, clean and change models"},
    ToolRow{"convert", "Save a model with shapes, in float16, with other outputs or weight files"},
    ToolRow{"data", "Join files of inputs and outputs"},
    ToolRow{"plugin", "Replace sub-graphs by single nodes of plug-ins"},
    ToolRow{"template", "Write scripts and hints to start from"},
    ToolRow{"multi-device", "Prepare models for several devices"},
};

// Tool by tool, in the order of kTools, the most used first; `assay --help` and the man page keep this order.
constexpr std::array kCommands = {
    CommandRow{
        "run", "", "Run a model in one or more engines and compare the outputs",
        "  run model.onnx --onnxrt\n"
        "  run model.onnx --onnxrt --save-inputs inputs.json --save-outputs golden.json\n"
        "  run model.onnx --onnxrt --load-inputs inputs.json --load-outputs golden.json --atol 1e-3\n"
        "  run model.onnx --onnxrt --onnxrt=old:lib=old.so --openvino --reference --python my_engine.py\n"
        "  run model.onnx --onnxrt --onnxrt --onnxrt-lib old.so --onnxrt-lib new.so --onnx-outputs '*'\n"
        "  run model.onnx --onnxrt --openvino --onnx-outputs @names.txt --memory-budget 2G --format json > layers.json",
        make_run},
    CommandRow{
        "debug", "reduce", "Find the few nodes of a model that make it fail",
        "  debug reduce model.onnx -o reduced.onnx --check assay run polygraphy_debug.onnx --onnxrt\n"
        "  debug reduce model.onnx -o reduced.onnx --jobs 4 --repro bug_report --check ./try.sh {model}\n"
        "  debug reduce model.onnx -o reduced.onnx --fail-regex \"Type Error\" --check python3 check.py {model}\n"
        "  debug reduce model.onnx -o reduced.onnx --check assay run polygraphy_debug.onnx --onnxrt \\\n"
        "      --load-inputs layer_inputs.json --load-outputs layers.json",
        make_debug_reduce},
    CommandRow{"debug", "locate", "Find the first tensor at which two engines diverge",
               "  debug locate model.onnx --onnxrt --openvino -o piece.onnx\n"
               "  debug locate model.onnx --onnxrt=slow:graph-optimization-level=ORT_DISABLE_ALL --onnxrt --atol 1e-3\n"
               "  debug locate model.onnx --onnxrt --load-inputs in.json --load-outputs golden.json --format json\n"
               "  debug locate model.onnx --onnxrt --fp16 -o piece.onnx\n"
               "  debug locate model_fp16.onnx --onnxrt --against model.onnx --rtol 1e-2 --atol 1e-2 -o piece.onnx",
               make_debug_locate},
    CommandRow{"debug", "optimizers", "Find the optimisation of an engine that changes a model's outputs",
               "  debug optimizers model.onnx --onnxrt\n"
               "  debug optimizers model.onnx --onnxrt --load-inputs in.json --atol 1e-3 --format json\n"
               "  debug optimizers model.onnx --openvino --input-shapes x:[1,3,224,224]",
               make_debug_optimizers},
    CommandRow{"debug", "precision",
               "Find the nodes that have to stay in float32 if the others run in float16 or quantized",
               "  debug precision model.onnx --onnxrt -o mixed.onnx\n"
               "  debug precision model.onnx --onnxrt --mode bisect --rtol 1e-3 --atol 1e-3\n"
               "  debug precision model.onnx --quantized model_int8.onnx --onnxrt --load-inputs in.json -o mixed.onnx\n"
               "  debug precision model.onnx --trt --fp16 --load-inputs in.json\n"
               "  debug precision model.onnx -o mixed.onnx --check ./accuracy.sh polygraphy_debug.onnx",
               make_debug_precision},
    CommandRow{"debug", "versions", "Find the first version of ONNX Runtime in which a model fails",
               "  debug versions model.onnx --onnxrt-libs 1.20/lib 1.21/lib 1.22/lib\n"
               "  debug versions model.onnx --onnxrt-libs */lib --load-inputs in.json --load-outputs golden.json",
               make_debug_versions},
    CommandRow{
        "debug", "build", "Build an engine repeatedly and sort good ones from bad ones",
        "  debug build model.onnx --onnxrt --until bad --artifacts polygraphy_debug.onnx --check \\\n"
        "      assay run polygraphy_debug.onnx --onnxrt --load-inputs in.json --load-outputs golden.json\n"
        "  debug build model.onnx --openvino --until 20 --iter-artifact model.blob --check ./try_blob.sh model.blob",
        make_debug_build},
    CommandRow{"debug", "repeat", "Run a command repeatedly and sort the files that it writes",
               "  debug repeat --until bad --artifacts out.json --check ./flaky.sh\n"
               "  debug repeat --until 20 --show-output --check assay run model.onnx --onnxrt",
               make_debug_repeat},
    CommandRow{"diagnose", "", "Find out step by step what is wrong with a model in an engine",
               "  diagnose model.onnx --onnxrt\n"
               "  diagnose model.onnx --onnxrt --openvino --load-inputs in.json --atol 1e-3 -o diagnosis\n"
               "  diagnose model.onnx --onnxrt --load-inputs in.json --load-outputs golden.json --budget 600\n"
               "  diagnose model.onnx --onnxrt -o diagnosis --resume",
               make_diagnose},
    CommandRow{"check", "lint", "Find all defects of a model in one run",
               "  check lint model.onnx\n"
               "  check lint model.onnx -o report.json\n"
               "  check lint model.onnx --input-shapes x:[1,3,224,224] --onnxrt-lib old.so",
               make_check_lint},
    CommandRow{"check", "accuracy", "Judge saved comparisons again with other thresholds",
               "  run model.onnx --onnxrt --openvino --compare simple l2 --save-accuracy-results accuracy.json\n"
               "  check accuracy accuracy.json --compare l2 --l2-threshold 1e-3\n"
               "  check accuracy accuracy.json --check-error-stat max --atol 1e-4",
               make_check_accuracy},
    CommandRow{"inspect", "model",
               "Show a model's inputs, outputs, weights and nodes, or the layers of a TensorRT network or engine",
               "  inspect model model.onnx\n"
               "  inspect model model.onnx --show layers attrs weights\n"
               "  inspect model model.onnx --show layers --format json > model.json\n"
               "  inspect model engine_layers.json --show layers attrs",
               make_inspect_model},
    CommandRow{"inspect", "data", "Show saved inputs and outputs with statistics, or how two files differ",
               "  inspect data inputs.json\n"
               "  inspect data outputs.json --all --histogram --show-values\n"
               "  inspect data golden.json outputs.json --compare",
               make_inspect_data},
    CommandRow{"inspect", "sparsity", "Show which weights have the 2:4 structure that sparse kernels need",
               "  inspect sparsity model.onnx\n"
               "  inspect sparsity model.onnx --format json > sparsity.json",
               make_inspect_sparsity},
    CommandRow{"inspect", "capability", "Show which nodes of a model TensorRT takes, and split the model at the others",
               "  inspect capability model.onnx\n"
               "  inspect capability model.onnx --with-partitioning -o parts",
               make_inspect_capability},
    CommandRow{"inspect", "tactics", "Show which tactics TensorRT chose, from a file of --save-tactics",
               "  inspect tactics replay.json", make_inspect_tactics},
    CommandRow{"inspect", "diff-tactics", "Find the tactics that only bad tactic replays have",
               "  inspect diff-tactics --dir polygraphy_artifacts\n"
               "  inspect diff-tactics --good good.json --bad bad/",
               make_inspect_diff_tactics},
    CommandRow{"diff", "", "Show what changed between two models",
               "  diff old.onnx new.onnx\n"
               "  diff old.onnx new.onnx --ignore names,order,doc-strings\n"
               "  diff old.onnx new.onnx --format json > changes.json",
               make_diff},
    CommandRow{"surgeon", "extract", "Cut a part out of a model",
               "  surgeon extract model.onnx --outputs conv_3:auto -o part.onnx\n"
               "  surgeon extract model.onnx --inputs relu_1:[1,64,56,56]:float32 -o part.onnx\n"
               "  surgeon extract model.onnx --inputs relu_1:auto:auto --outputs relu_2:auto -o part.onnx",
               make_surgeon_extract},
    CommandRow{"surgeon", "sanitize", "Fold constants, remove unused nodes, change shapes and outputs",
               "  surgeon sanitize model.onnx --fold-constants -o folded.onnx\n"
               "  surgeon sanitize model.onnx --override-input-shapes x:[1,3,224,224] --fold-constants -o fixed.onnx\n"
               "  surgeon sanitize model.onnx --fold-constants --remove-no-ops --merge-duplicates -o small.onnx\n"
               "  surgeon sanitize model.onnx --cleanup --toposort -o tidy.onnx",
               make_surgeon_sanitize},
    CommandRow{"surgeon", "insert", "Insert a node",
               "  surgeon insert model.onnx --op Identity --inputs conv_3 --outputs conv_3 -o model2.onnx\n"
               "  surgeon insert model.onnx --op Elu --attrs alpha=0.5 --inputs conv_3 --outputs relu_3 -o elu.onnx",
               make_surgeon_insert},
    CommandRow{"surgeon", "weight-strip", "Empty the weights, for a small file that still shows the model",
               "  surgeon weight-strip model.onnx -o weightless.onnx\n"
               "  surgeon weight-strip model.onnx --exclude-list keep.txt -o weightless.onnx",
               make_surgeon_weight_strip},
    CommandRow{"surgeon", "weight-reconstruct", "Fill emptied weights with made-up values",
               "  surgeon weight-reconstruct weightless.onnx -o runnable.onnx", make_surgeon_weight_reconstruct},
    CommandRow{"surgeon", "prune", "Zero weights to 2:4 sparsity, to see how fast a sparse model would be",
               "  surgeon prune model.onnx -o sparse.onnx", make_surgeon_prune},
    CommandRow{"convert", "", "Save a model with shapes, in float16, with other outputs or weight files",
               "  convert model.onnx --fp-to-fp16 -o model_fp16.onnx\n"
               "  convert model.onnx --shape-inference --onnx-outputs '*' -o marked.onnx\n"
               "  convert model.onnx --save-external-data weights.data --external-data-size-threshold 1M -o small.onnx",
               make_convert},
    CommandRow{"data", "merge", "Merge files of inputs or outputs, iteration by iteration, into one file of inputs",
               "  data merge inputs.json outputs.json -o layerwise_inputs.json\n"
               "  data merge weights.npz outputs/ -o inputs.json",
               make_data_merge},
    CommandRow{"data", "concat", "Concatenate the iterations of several files",
               "  data concat monday.json tuesday.json -o all.json", make_data_concat},
    CommandRow{"plugin", "match", "Find sub-graphs that plug-ins can compute, and save where they are",
               "  plugin match model.onnx --plugin-dir plugins -o config.yaml", make_plugin_match},
    CommandRow{"plugin", "list", "Count the sub-graphs that plug-ins can compute",
               "  plugin list model.onnx --plugin-dir plugins --exclude old_plugin", make_plugin_list},
    CommandRow{"plugin", "replace", "Replace the sub-graphs that `plugin match` found",
               "  plugin replace model.onnx --plugin-dir plugins --config config.yaml -o replaced.onnx",
               make_plugin_replace},
    CommandRow{"plugin", "autotune", "Find the replacements that make the engine of TensorRT fastest, by timing them",
               "  plugin autotune model.onnx --plugin-dir plugins --plugin-libraries libplugins.so -o tuned.onnx\n"
               "  plugin autotune model.onnx --plugin-dir plugins --plugins libplugins.so --tf32 -o tuned.onnx \\\n"
               "      --autotune-mode exhaustive --threshold 0.02 --report report.json",
               make_plugin_autotune},
    CommandRow{"template", "onnx-gs", "Write a Python script that edits the model with ONNX-GraphSurgeon",
               "  template onnx-gs model.onnx -o edit_model.py\n"
               "  template onnx-gs model.onnx --shape-inference --onnx-outputs conv_3 -o edit_model.py",
               make_template_onnx_gs},
    CommandRow{"template", "shard-hints", "Write hints for `multi-device shard`",
               "  template shard-hints model.onnx --i-idx 1 --o-idx 1 -o hints.json", make_template_shard_hints},
    CommandRow{"template", "trt-network", "Write a Python script that creates a TensorRT network",
               "  template trt-network model.onnx -o make_network.py\n"
               "  template trt-network model.onnx --trt-outputs conv_3 --strongly-typed -o make_network.py",
               make_template_trt_network},
    CommandRow{"template", "trt-config", "Write a Python script that creates a TensorRT builder configuration",
               "  template trt-config --tf32 --pool-limit workspace:1G -o make_config.py\n"
               "  template trt-config --trt-min-shapes x:[1,3,224,224] --trt-opt-shapes x:[4,3,224,224] \\\n"
               "      --trt-max-shapes x:[16,3,224,224] -o make_config.py",
               make_template_trt_config},
    CommandRow{"multi-device", "shard", "Insert the collective nodes with which attention runs on several devices",
               "  multi-device shard model.onnx -s hints.json -o sharded.onnx\n"
               "  multi-device shard model.onnx --one-shot --gpus 4 -o sharded.onnx",
               make_multi_device_shard},
};

// An older name of a command.
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

std::vector<std::string> subtools(std::string_view tool) {
  std::vector<std::string> names;
  for (const CommandRow& row : commands()) {
    if (row.tool == tool && !row.noun.empty()) names.emplace_back(row.noun);
  }
  return names;
}

bool tool_exists(std::string_view tool) {
  return std::ranges::find(commands(), tool, &CommandRow::tool) != commands().end();
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
