"""Messages of the compiled rooms, which name options of the command line, with the parameters of this package instead.

The rooms don't know who calls them. So this is the one place that knows which parameter is meant by an option: every
error and every log message of the extension passes through :func:`in_python`.
"""

from __future__ import annotations

import re

# The parameters that have the name of the option: --external-data-dir is external_data_dir.
_SAME_NAME = (
    "allocation-strategy",
    "allow-gpu-fallback",
    "atol",
    "bf16",
    "builder-optimization-level",
    "check",
    "check-error-stat",
    "check-memory",
    "check-timeout",
    "cosine-similarity-threshold",
    "custom-ops",
    "data-loader-backend-module",
    "direct-io",
    "dla-core",
    "disable-compilation-cache",
    "engine-capability",
    "editable-timing-cache",
    "engine-memory",
    "engine-timeout",
    "error-on-timing-cache-miss",
    "error-quantile",
    "exclude-lean-runtime",
    "fail-ratio",
    "fail-regex",
    "fp8",
    "fp16",
    "graph-optimization-level",
    "hardware-compatibility-level",
    "index-tolerance",
    "int8",
    "iterations",
    "l2-threshold",
    "load-timing-cache",
    "lpips-threshold",
    "mark-unfused-tensors-as-debug-tensors",
    "max-aux-streams",
    "max-checks",
    "mode",
    "optimization-profile",
    "output",
    "passes",
    "plugin-instancenorm",
    "precision-constraints",
    "preview-features",
    "profiling-verbosity",
    "providers",
    "psnr-threshold",
    "quantile",
    "quantization-flags",
    "quantized",
    "refit-from-onnx",
    "refittable",
    "regression-cutoff",
    "repeat",
    "rtol",
    "runtime-platform",
    "same-failure",
    "save-timing-cache",
    "seed",
    "serialize-plugins",
    "session-config",
    "skip-passes",
    "snr-threshold",
    "sparse-weights",
    "strip-plan",
    "strongly-typed",
    "tactic-sources",
    "tf32",
    "threads",
    "tiling-optimization-level",
    "time-limit",
    "ulp-tolerance",
    "unresolved-regex",
    "until-nodes",
    "use-dla",
    "values",
    "version-compatible",
    "weight-streaming",
    "weight-streaming-budget",
)

# What this package has for the others.
_OTHERS = {
    "calib-base-cls": "BaseClass",
    "calibration-cache": "the cache of the Calibrator",
    "decomposable-attentions": "set_decomposable_attentions()",
    "external-data-dir": "external_data_dir of assay.Model()",
    "external-data-size-threshold": "size_threshold",
    "fail-code": "fail_codes",
    "ignore-external-data": "ignore_external_data of assay.Model()",
    "ignore-fail-code": "ignore_fail_codes",
    "dla-workspace-allocation-strategy": "dla_workspace_allocation_strategy",
    "enable-uint8-asymmetric-quantization-dla": "enable_uint8_asymmetric_quantization_dla",
    "inputs": "input_metadata",
    "input-shapes": "the shapes of the inputs (input_shapes, or the input_metadata of a DataLoader)",
    "iter-artifact": "artifact",
    "layer-precisions": "set_layer_precisions()",
    "load-inputs": "inputs or a data_loader of your own",
    "load-outputs": "golden",
    "load-runtime": "runtime",
    "load-tactics": "TacticReplayer()",
    "mark-debug": "mark_debug()",
    "model-input-shapes": "input_shapes",
    "no-shape-check": "check_shapes=False",
    "onnx-flags": "flags",
    "onnxrt-lib": "the setting lib (of assay.locate and assay.diagnose)",
    "openvino-config": "config",
    "openvino-device": "device",
    "openvino-lib": "the setting lib (of assay.locate and assay.diagnose)",
    "outputs": "output_metadata",
    "plugins": "load_plugins()",
    "pool-limit": "memory_pool_limits",
    "postprocess": "PostprocessFunc.top_k()",
    "provider-options": "providers",
    "python-interpreter": "the setting interpreter (of assay.locate and assay.diagnose)",
    "resume": "resume=True",
    "save-accuracy-results": "AccuracyResults.save()",
    "save-engine": "save_engine()",
    "save-external-data": "external_data_path",
    "save-input-blob": "save_input_blob_path",
    "save-inputs": "save_inputs_path",
    "save-outputs": "save_outputs_path",
    "save-tactics": "TacticRecorder()",
    "set-unbounded-dds-upper-bound": "set_upper_bound()",
    "tensor-dtypes": "set_tensor_datatypes()",
    "tensor-formats": "set_tensor_formats()",
    "trt-config-postprocess-script": "postprocess_config()",
    "trt-config-script": "InvokeFromScript",
    "trt-device": "device",
    "trt-exclude-outputs": "exclude_outputs",
    "trt-lib": "the setting lib (of assay.locate and assay.diagnose)",
    "trt-max-shapes": "the max shapes of profiles",
    "trt-min-shapes": "the min shapes of profiles",
    "trt-network-postprocess-script": "postprocess_network()",
    "trt-opt-shapes": "the opt shapes of profiles",
    "trt-outputs": "outputs",
    "trt-outputs-by-type": "mark_layer_types",
    "trt-safety-restricted": "restricted",
    "unresolved-code": "unresolved_codes",
}

PARAMETERS = {**{option: option.replace("-", "_") for option in _SAME_NAME}, **_OTHERS}

# What takes the place of commands that this package has, too, and of advice about the command line.
_TEXTS = {
    "`assay debug reduce`": "assay.reduce()",
    "`assay inspect model --show layers`": "assay.inspect(model, show=['layers'])",
    "`assay inspect model MODEL --show layers`": "assay.inspect(model, show=['layers'])",
    "`--format json`": "`layers`",  # of an assay.Location
    "Install the module for the Python that runs the check": (
        "Run the check with sys.executable, install the module for the Python that runs it"
    ),
    " (in the words of --check). Put options that aren't the check's before --check": (
        " (in the words of the check). Correct the command. Options of the reduction are parameters of assay.reduce()"
    ),
}

# Lines of results that end with words to type into a shell.
_SHELL_LINES = ("It fails this check: ", "To keep float32 where a difference is born: ")

# What follows in such a log message are the words of another program.
_OUTPUT = "Output of the check:\n"

# Other commands in backticks are to be typed into a shell, so their options stay. So do those in errors of the check: it
# is a command.
_WORDS_OF_COMMANDS = (
    r"`[^`]*`",
    r"(?<=the check can't judge any model: ).+?(?= \(in the words of --check\)|$)",
    r"(?<=the check can't run: ).+(?= \(in --check\))",
)
_OPTION = r"(?<![\w-])--([a-z0-9]+(?:-[a-z0-9]+)*)"
_REPLACED_OR_KEPT = re.compile("|".join((*map(re.escape, _TEXTS), *_WORDS_OF_COMMANDS, _OPTION)), re.DOTALL)


def in_python(message: str) -> str:
    """Returns a message with the names of parameters and functions instead of options and commands. Those that this package
    doesn't have stay."""
    if ("--" not in message and "`" not in message) or message.startswith(_OUTPUT):
        return message
    return _REPLACED_OR_KEPT.sub(_replacement, message)


def text_in_python(text: str) -> str:
    """Returns the lines of a result with the names of parameters, except those that end with words for a shell."""
    return "\n".join(line if line.lstrip().startswith(_SHELL_LINES) else in_python(line) for line in text.splitlines())


def _replacement(found: re.Match[str]) -> str:
    return _TEXTS.get(found[0], found[0]) if found[1] is None else PARAMETERS.get(found[1], found[0])
