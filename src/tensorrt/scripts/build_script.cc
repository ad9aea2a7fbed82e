// The program consists of the scripts that `assay template` writes, and of what calls their functions.
#include "tensorrt/scripts/build_script.h"

#include <string_view>

#include "tensorrt/scripts/python_scripts.h"

namespace assay::tensorrt {
namespace {

// Imports TensorRT before the scripts do, so that a missing package is reported with what to do about it.
constexpr std::string_view kReport = R"py(import os
import sys
import traceback

START, LOAD, BUILD = 0, 1, 2
PROGRAM, REPORT, PLAN, TIMING_CACHE, SAVED_CACHE = sys.argv[1:]


def explain(error):
    """Returns what was raised, and where in the user's scripts."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if frame.filename not in (PROGRAM, "<string>", "<frozen runpy>") and not frame.filename.endswith("/runpy.py")]
    if isinstance(error, SystemExit):
        text = f"it called sys.exit({'' if error.code is None else repr(error.code)})"
    elif not frames and isinstance(error, (RuntimeError, ValueError)):
        return str(error)
    else:
        text = "".join(traceback.format_exception_only(type(error), error)).strip()
    lines = [f"    {frame.filename}:{frame.lineno}, in {frame.name}: {frame.line}" for frame in frames]
    return "\n".join([f"the script failed: {text}" if frames else text, *lines])


def report(phase, text):
    with open(REPORT, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{phase}\n{text}")


sys.excepthook = lambda kind, error, trace: report(START, explain(error))  # the scripts refuse TensorRT 11

try:
    import tensorrt
except BaseException as error:  # a damaged installation can raise anything
    text = "".join(traceback.format_exception_only(type(error), error)).strip()
    report(START, f"the interpreter {sys.executable} can't import the package tensorrt, which the script needs: {text}. "
                  "Install it (pip install tensorrt), or name another interpreter with --python-interpreter")
    sys.exit(1)
)py";

constexpr std::string_view kBuild = R"py(

def include_plugins(parser, config):
    """Puts the plug-ins that the parser has used into an engine that contains its runtime, which knows no others."""
    flags = tensorrt.BuilderFlag
    if not config.get_flag(flags.VERSION_COMPATIBLE) or config.get_flag(flags.EXCLUDE_LEAN_RUNTIME):
        return
    try:
        used = parser.get_used_vc_plugin_libraries()
    except (AttributeError, RuntimeError):  # it isn't a parser, or doesn't know them
        return
    given = config.plugins_to_serialize  # by a script of the user
    config.plugins_to_serialize = given + [library for library in used if library not in given]


def add_saved_cache(config):
    """Adds what is in the file that the timing cache will replace. Returns whether TensorRT could read it."""
    if not os.path.exists(SAVED_CACHE):
        return True
    with open(SAVED_CACHE, "rb") as file:
        saved = config.create_timing_cache(file.read())
    return saved is not None and config.get_timing_cache().combine(saved, ignore_mismatch=False)


def prepare_timing_cache(config):
    """Gives the configuration a timing cache that has what is in the file."""
    if config.get_timing_cache() is None:
        config.set_timing_cache(config.create_timing_cache(b""), ignore_mismatch=False)
    if not add_saved_cache(config):
        raise RuntimeError(f"TensorRT can't use the timing cache {SAVED_CACHE}: it belongs to another GPU or version, or "
                           "is damaged. Remove the file, or name another one")


def build():
    phase = LOAD
    try:
        made = load_network()  # the parser, if there is one, must live until the engine is built
        builder, network, *others = made
        phase = BUILD
        config = load_config(builder, network)
        if TIMING_CACHE:
            prepare_timing_cache(config)
        for other in others:
            include_plugins(other, config)
        plan = builder.build_serialized_network(network, config)
        check_tactics = getattr(getattr(config, "algorithm_selector", None), "check_tactics", None)
        if check_tactics is not None:
            check_tactics(plan is not None)
        if plan is None:
            raise RuntimeError("TensorRT built no engine")
        with open(PLAN, "wb") as file:
            file.write(plan)
        if TIMING_CACHE and add_saved_cache(config):  # another build may have written it meanwhile
            with open(TIMING_CACHE, "wb") as file:
                file.write(config.get_timing_cache().serialize())
        with open(REPORT, "w") as file:
            file.write(tensorrt.__version__)
    except BaseException as error:
        report(phase, explain(error))
        sys.exit(1)


build()
)py";

constexpr std::string_view kDescribe = R"py(

def describe():
    import json

    onnx_names = {"fp8": "float8_e4m3fn", "fp4": "float4_e2m1fn", "e8m0": "float8_e8m0fnu"}
    names = "float32 float16 bfloat16 int8 int4 int32 int64 bool uint8 fp8 fp4 e8m0".split()
    types = {getattr(tensorrt, name): onnx_names.get(name, name) for name in names if hasattr(tensorrt, name)}

    def tensor_of(tensor):
        try:
            shape, known_rank = list(tensor.shape), True
        except ValueError:  # an unknown rank is a negative length
            shape, known_rank = [], False
        return {"name": tensor.name, "type": types.get(tensor.dtype, ""), "shape": shape, "known_rank": known_rank,
                "is_output": tensor.is_network_output, "holds_values": tensor.is_execution_tensor}

    def class_of(kind):
        """Returns the class with the attributes of a kind of layer: ISoftMaxLayer of SOFTMAX."""
        names = {name.lower(): name for name in dir(tensorrt)}
        word = kind.replace("_", "").lower()
        return getattr(tensorrt, names.get(f"i{word}layer") or names.get(f"iif{word}layer") or "ILayer")

    def plain(value):
        """Returns a value as JSON has it, or None for an object."""
        if isinstance(value, (bool, int, float, str)) and not hasattr(value, "name"):
            return value
        if isinstance(value, (list, tuple)) or type(value).__name__ in ("Dims", "Permutation"):
            return list(value)
        return types.get(value) or getattr(value, "name", None)  # an enumerator, or a loop

    def attributes_of(layer):
        kind = layer.type.name
        layer.__class__ = class_of(kind)
        classes = type(layer).__mro__
        own = classes[:classes.index(tensorrt.ILayer)]  # what all layers have isn't shown
        names = sorted({name for one in own for name in vars(one) if not name.startswith("_")})
        pairs = [(layer, name) for name in names]
        if kind == "DIST_COLLECTIVE":
            pairs.append((layer, "num_ranks"))
        if kind == "ATTENTION_INPUT":  # the first layer shows what its attention has
            attention = layer.attention
            of_attention = "norm_op causal decomposable"
            if attention.normalization_quantize_scale is not None:
                of_attention += " normalization_quantize_to_type"
            of_attention += " num_ranks causal_kind query_form key_value_form query_lengths key_value_lengths"
            pairs += [(attention, name) for name in of_attention.split()]
        attributes = []
        for holder, name in pairs:
            try:
                value = plain(getattr(holder, name))
            except Exception:  # not every attribute of a class has a value in each layer, or in this version
                continue
            if value not in (None, ""):
                attributes.append({"name": name, "value": json.dumps(value)})
        return attributes

    def layer_of(layer):
        inputs = [layer.get_input(i) for i in range(layer.num_inputs)]
        outputs = [layer.get_output(i) for i in range(layer.num_outputs)]
        kind = layer.type.name  # the type of an IActivationLayer is another one
        return {"name": layer.name, "inputs": [tensor.name for tensor in inputs if tensor is not None],
                "outputs": [tensor_of(tensor) for tensor in outputs if tensor is not None],
                "kind": kind, "attributes": attributes_of(layer), "weights": []}

    try:
        made = load_network()  # the parser, if there is one, must live as long as the network
        network = made[1]
        layers = [layer_of(layer) for layer in network]
        constant = tensorrt.LayerType.CONSTANT.name
        found = {
            "name": network.name,
            "strongly_typed": int(tensorrt.__version__.split(".")[0]) > 10
            or network.get_flag(tensorrt.NetworkDefinitionCreationFlag.STRONGLY_TYPED),
            "inputs": [tensor_of(network.get_input(i)) for i in range(network.num_inputs)],
            "layers": [layer for layer in layers if layer["kind"] != constant],
            "constants": [layer for layer in layers if layer["kind"] == constant],
            "outputs": [tensor_of(network.get_output(i)) for i in range(network.num_outputs)],
        }
        with open(PLAN, "w", encoding="utf-8", errors="replace") as file:
            json.dump(found, file, ensure_ascii=False)
        with open(REPORT, "w") as file:
            file.write(tensorrt.__version__)
    except BaseException as error:
        report(LOAD, explain(error))
        sys.exit(1)


describe()
)py";

}  // namespace

std::string describe_script(const NetworkPlan& network) {
  return std::string(kReport) + network_script(network) + std::string(kDescribe);
}

std::string build_script(const NetworkPlan& network, const ConfigPlan& config) {
  return std::string(kReport) + network_script(network) + config_script(config) + std::string(kBuild);
}

}  // namespace assay::tensorrt
