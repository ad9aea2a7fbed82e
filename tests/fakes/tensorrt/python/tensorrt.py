"""A stand-in for TensorRT's Python module that builds engines: plans that the stand-in for the library opens (../sdk).

Names and calls are checked by the module in src/tensorrt/scripts/testdata, from which this one derives. ONNX models may
have the nodes Add, Relu and Identity, and no weights. ASSAY_FAKE_NVINFER is the path of the library, whose version the
plans need. ASSAY_FAKE_TENSORRT=crash_python and fail_python make builds misbehave; with fail_plugins, the parser doesn't
tell its plug-ins.
"""
import ctypes
import enum
import importlib.util
import json
import os
import pathlib
import struct
import sys

_number = ctypes.CDLL(os.environ["ASSAY_FAKE_NVINFER"]).getInferLibVersion()
__version__ = f"{_number // 10000}.{_number // 100 % 100}.{_number % 100}"
os.environ["ASSAY_FAKE_TENSORRT_PACKAGE"] = __version__
_spec = importlib.util.spec_from_file_location(
    "tensorrt_names", pathlib.Path(__file__).parents[4] / "src/tensorrt/scripts/testdata/tensorrt.py"
)
_names = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_names)
globals().update({name: value for name, value in vars(_names).items() if not name.startswith("__")})

_TYPES = {1: "kFLOAT", 10: "kHALF"}  # of ONNX
_OF_PYTHON = {"float32": "kFLOAT", "float16": "kHALF", "bfloat16": "kBF16"}
_OPERATIONS = {"Add": ("kELEMENTWISE", 0), "Relu": ("kACTIVATION", 0), "Identity": ("kIDENTITY", 0)}
_MISBEHAVIOUR = os.environ.get("ASSAY_FAKE_TENSORRT", "")


def log(severity, message):
    print(f"[11/23/2026-10:00:00] [TRT] [{severity}] {message}")


class ActivationType(enum.Enum):
    RELU = "Relu"


class ElementWiseOperation(enum.Enum):
    SUM = "Add"


class ITensor(_names.ITensor):
    """Also has a shape and, for networks without a model, is made by them."""

    is_shape_tensor = False
    is_execution_tensor = True

    def __init__(self, name, shape, type="kFLOAT"):
        super().__init__(name)
        dtype = next(getattr(DataType, name) for name, of_plan in _OF_PYTHON.items() if of_plan == type)
        self.__dict__.update(shape=tuple(shape), type=type, dtype=dtype)


class ILayer(_names.ILayer):
    def __init__(self, operation, name, inputs, output):
        super().__init__(getattr(LayerType, _OPERATIONS[operation][0][1:]), name, inputs, [output])
        self.__dict__["operation"] = operation


class IActivationLayer(ILayer):
    type = property(lambda self: ActivationType(self.operation))
    alpha = 0.5


class IElementWiseLayer(ILayer):
    op = property(lambda self: ElementWiseOperation(self.operation))
    message = property(lambda self: 1 / 0)  # some attributes can't be read


class IAttentionInputLayer(ILayer):
    attention = _names.IAttention()


class INetworkDefinition(_names.INetworkDefinition):
    name = ""

    def get_flag(self, flag):
        return False

    def add_input(self, name, dtype, shape):
        self.inputs.append(ITensor(name, shape, _OF_PYTHON[dtype.name]))
        return self.inputs[-1]

    def add(self, operation, name, inputs, output):
        self.layers.append(ILayer(operation, name, inputs, ITensor(output, inputs[0].shape)))
        return self.layers[-1]

    def add_activation(self, input, type):
        return self.add(type.value, f"layer {len(self.layers)}", [input], f"tensor {len(self.layers)}")

    def add_elementwise(self, input1, input2, op):
        return self.add(op.value, f"layer {len(self.layers)}", [input1, input2], f"tensor {len(self.layers)}")


class IOptimizationProfile:
    def __init__(self):
        self.shapes = {}

    def set_shape(self, input, min, opt, max):
        self.shapes[input] = [list(min), list(opt), list(max)]


class ITimingCache:
    def __init__(self, contents):
        self.contents = bytes(contents)

    def combine(self, input_cache, ignore_mismatch):
        if input_cache.contents not in self.contents:
            self.contents += input_cache.contents
        return not input_cache.contents.startswith(b"damaged")

    def serialize(self):
        return self.contents + b"timed\n"


class _Struct:
    def __init__(self, **members):
        self.__dict__.update(members)


class IBuilderConfig(_names.IBuilderConfig):
    def __init__(self):
        self.__dict__.update(profiles=[], cache=None, flags={"kTF32"}, plugins_to_serialize=[])
        if not IS_11:
            self.__dict__["algorithm_selector"] = None

    def set_flag(self, flag):
        super().set_flag(flag)
        self.flags.add("k" + flag.name)

    def clear_flag(self, flag):
        super().clear_flag(flag)
        self.flags.discard("k" + flag.name)

    def get_flag(self, flag):
        return "k" + flag.name in self.flags

    def add_optimization_profile(self, profile):
        self.profiles.append(profile)
        return len(self.profiles) - 1

    def create_timing_cache(self, serialized_timing_cache):
        return ITimingCache(serialized_timing_cache)

    def set_timing_cache(self, cache, ignore_mismatch):
        self.__dict__["cache"] = cache
        return True

    def get_timing_cache(self):
        return self.cache


class Builder(_names.Builder):
    def create_network(self, flags=0):
        super().create_network(flags)
        return INetworkDefinition()

    def create_builder_config(self):
        return IBuilderConfig()

    def create_optimization_profile(self):
        return IOptimizationProfile()

    def build_serialized_network(self, network, config):
        log("W", "the stand-in builds an engine")
        if _MISBEHAVIOUR == "crash_python":
            ctypes.string_at(0)
        if _MISBEHAVIOUR == "fail_python" or not network.marked():
            for tactic in range(30):
                log("E", f"Error Code: 9: Skipping tactic 0x{tactic:x} due to exception canImplement")
            log("E", "Error Code 4: Internal Error (the network has no outputs)")
            log("E", "Error Code 4: Internal Error (the network has no outputs)")
            return None
        return _plan(network, config) if _choose_tactics(network, config) else None


def _precision(layer, config):
    """Returns the precision that the layer was given, if that counts, or else the lowest one allowed."""
    given = vars(layer).get("precision")
    if given is not None and config.flags & {"kOBEY_PRECISION_CONSTRAINTS", "kPREFER_PRECISION_CONSTRAINTS"}:
        return _OF_PYTHON[given.name]
    return "kHALF" if "kFP16" in config.flags else None


def _choose_tactics(network, config):
    """Gives each layer one of three tactics, as the stand-in for the library does. Returns whether all layers have one."""
    selector, contexts, chosen = getattr(config, "algorithm_selector", None), [], []
    for layer in network.layers:
        count = len(layer.inputs)
        context = _Struct(name=layer.name, num_inputs=count, num_outputs=1)
        info = _Struct(dtype="DataType.FLOAT", strides=[1], vectorized_dim=-1, components_per_element=1)
        choices = [
            _Struct(algorithm_variant=_Struct(implementation=1, tactic=tactic), get_algorithm_io_info=lambda index: info)
            for tactic in range(3)
        ]
        allowed = [0, 1, 2] if selector is None else selector.select_algorithms(context, choices)
        if not allowed and "kREJECT_EMPTY_ALGORITHMS" in config.flags:
            log("E", f"Error Code 10: Internal Error (nothing is selected for {layer.name})")
            return False
        layer.__dict__["tactic"] = allowed[0]
        contexts.append(context)
        chosen.append(choices[allowed[0]])
    if selector is not None:
        selector.report_algorithms(contexts, chosen)
    return True


def _plan(network, config):
    tensors = network.inputs + [layer.get_output(0) for layer in network.layers]
    index = {tensor.name: number for number, tensor in enumerate(tensors)}
    profiles = [{"shapes": profile.shapes, "values": {}, "wide_values": False} for profile in config.profiles]
    plan = {
        "graph": {
            "name": "scripted",
            "tensors": [
                {
                    "name": tensor.name,
                    "type": tensor.type,
                    "io_type": _OF_PYTHON[tensor.dtype.name],
                    "dims": tensor.shape,
                    "formats": 0,
                    "debug": False,
                }
                for tensor in tensors
            ],
            "layers": [
                {
                    "name": layer.name,
                    "metadata": layer.name,
                    "type": _OPERATIONS[layer.operation][0],
                    "operation": _OPERATIONS[layer.operation][1],
                    "inputs": [index[tensor.name] for tensor in layer.inputs],
                    "outputs": [index[layer.get_output(0).name]],
                    "precision": _precision(layer, config),
                    "output_types": [None],
                    "weights": [],
                    "operator": "",
                    "attributes": {},
                    "tactic": layer.tactic,
                }
                for layer in network.layers
            ],
            "inputs": [index[tensor.name] for tensor in network.inputs],
            "outputs": [index[tensor.name] for tensor in network.marked()],
            "all_debug": False,
        },
        "profiles": profiles or [{"shapes": {}, "values": {}, "wide_values": False}],
        "settings": {"flags": sorted(config.flags), "plugins": config.plugins_to_serialize},
        "verbosity": "kDETAILED",
        "streamable_weights": 0,
        "stripped_weights": 0,
        "refittable": False,
        "strongly_typed": IS_11,
    }
    return f"fake TensorRT {__version__.rsplit('.', 1)[0]} plan\n".encode() + json.dumps(plan).encode()


def _fields(data):
    """Returns the fields of a message of protobuf: numbers and values."""
    at, fields = 0, []

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 2:
            size = varint()
            fields.append((tag >> 3, data[at : at + size]))
            at += size
        elif tag & 7 == 5:
            fields.append((tag >> 3, struct.unpack_from("<f", data, at)[0]))
            at += 4
        else:
            fields.append((tag >> 3, varint()))
    return fields


def _all(message, number):
    return [value for found, value in _fields(message) if found == number]


def _port(value_info):
    (name,), (type_proto,) = _all(value_info, 1), _all(value_info, 2)
    (tensor_type,) = _all(type_proto, 1)
    sizes = []
    for dimension in _all(_all(tensor_type, 2)[0], 1):
        sizes.append((_all(dimension, 1) or [-1])[0])
    return ITensor(name.decode(), sizes, _TYPES[_all(tensor_type, 1)[0]])


class OnnxParser(_names.OnnxParser):
    num_errors = 0

    def get_used_vc_plugin_libraries(self):
        if _MISBEHAVIOUR == "fail_plugins":
            raise RuntimeError("Internal error")
        return ["libfake_vc_plugin.so", "libfake_other_plugin.so"]

    def parse_from_file(self, path):
        return self.parse(pathlib.Path(path).read_bytes(), path)

    def parse(self, model, path=None):
        (graph,) = _all(bytes(model), 7)
        network = self.network
        network.inputs += [_port(port) for port in _all(graph, 11)]
        tensors = {tensor.name: tensor for tensor in network.inputs}
        for number, node in enumerate(_all(graph, 1)):
            operation = _all(node, 4)[0].decode()
            if operation not in _OPERATIONS:
                self.num_errors, self.error = 1, f"no importer for {operation} (node {number})"
                return False
            inputs = [tensors[name.decode()] for name in _all(node, 1)]
            output = _all(node, 2)[0].decode()
            tensors[output] = network.add(operation, f"node_of_{output}", inputs, output).get_output(0)
        for port in _all(graph, 12):
            network.mark_output(tensors[_port(port).name])
        return True

    def get_error(self, index):
        return self.error
