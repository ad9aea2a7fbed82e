"""A stand-in for TensorRT's Python module on machines without a GPU: it computes nothing, and records what scripts do.

The names, with which all calls are checked, are those of the bindings of TensorRT 10.15 or, if ASSAY_FAKE_TENSORRT_PACKAGE
says so, of 11.1 (python/src of NVIDIA/TensorRT).
"""
import builtins
import enum
import json
import os

__version__ = os.environ.get("ASSAY_FAKE_TENSORRT_PACKAGE", "10.15.1")
IS_11 = int(__version__.split(".")[0]) > 10


def enumeration(name, names, until_10):
    """Returns an enumeration. TensorRT 11 has removed the enumerators `until_10`."""
    removed = until_10.split() if IS_11 else []
    return enum.IntEnum(name, [each for each in names.split() if each not in removed], start=0)


BuilderFlag = enumeration(
    "BuilderFlag",
    "FP16 BF16 INT8 DEBUG GPU_FALLBACK REFIT DISABLE_TIMING_CACHE EDITABLE_TIMING_CACHE TF32 SPARSE_WEIGHTS "
    "SAFETY_SCOPE OBEY_PRECISION_CONSTRAINTS PREFER_PRECISION_CONSTRAINTS DIRECT_IO REJECT_EMPTY_ALGORITHMS "
    "VERSION_COMPATIBLE EXCLUDE_LEAN_RUNTIME FP8 ERROR_ON_TIMING_CACHE_MISS DISABLE_COMPILATION_CACHE "
    "WEIGHTLESS STRIP_PLAN REFIT_IDENTICAL WEIGHT_STREAMING INT4 REFIT_INDIVIDUAL STRICT_NANS MONITOR_MEMORY "
    "FP4 DISTRIBUTIVE_INDEPENDENCE ",
    until_10="FP16 BF16 INT8 FP8 INT4 FP4 OBEY_PRECISION_CONSTRAINTS PREFER_PRECISION_CONSTRAINTS "
    "REJECT_EMPTY_ALGORITHMS WEIGHTLESS",
)
DeviceType = enum.IntEnum("DeviceType", "GPU DLA", start=0)
EngineCapability = enum.IntEnum("EngineCapability", "STANDARD SAFETY DLA_STANDALONE", start=0)
HardwareCompatibilityLevel = enum.IntEnum(
    "HardwareCompatibilityLevel",
    "NONE AMPERE_PLUS SAME_COMPUTE_CAPABILITY ",
    start=0,
)
LayerType = enum.IntEnum(
    "LayerType",
    "CONVOLUTION GRID_SAMPLE NMS ACTIVATION POOLING LRN SCALE SOFTMAX DECONVOLUTION CONCATENATION ELEMENTWISE "
    "PLUGIN UNARY PADDING SHUFFLE REDUCE TOPK GATHER MATRIX_MULTIPLY RAGGED_SOFTMAX CONSTANT IDENTITY CAST "
    "PLUGIN_V2 SLICE SHAPE PARAMETRIC_RELU RESIZE TRIP_LIMIT RECURRENCE ITERATOR LOOP_OUTPUT SELECT ASSERTION "
    "FILL QUANTIZE DEQUANTIZE CONDITION CONDITIONAL_INPUT CONDITIONAL_OUTPUT SCATTER EINSUM ONE_HOT NON_ZERO "
    "REVERSE_SEQUENCE NORMALIZATION PLUGIN_V3 SQUEEZE UNSQUEEZE CUMULATIVE DYNAMIC_QUANTIZE ATTENTION_INPUT "
    "ATTENTION_OUTPUT ROTARY_EMBEDDING KV_CACHE_UPDATE MOE DIST_COLLECTIVE ",
    start=0,
)
MemoryPoolType = enum.IntEnum(
    "MemoryPoolType",
    "WORKSPACE DLA_MANAGED_SRAM DLA_LOCAL_DRAM DLA_GLOBAL_DRAM TACTIC_DRAM TACTIC_SHARED_MEMORY ",
    start=0,
)
NetworkDefinitionCreationFlag = enumeration(
    "NetworkDefinitionCreationFlag",
    "EXPLICIT_BATCH STRONGLY_TYPED PREFER_AOT_PYTHON_PLUGINS PREFER_JIT_PYTHON_PLUGINS ",
    until_10="EXPLICIT_BATCH",
)
OnnxParserFlag = enum.IntEnum(
    "OnnxParserFlag",
    "NATIVE_INSTANCENORM ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA REPORT_CAPABILITY_DLA ENABLE_PLUGIN_OVERRIDE "
    "ADJUST_FOR_DLA ",
    start=0,
)
PreviewFeature = enumeration(
    "PreviewFeature",
    "PROFILE_SHARING_0806 ALIASED_PLUGIN_IO_10_03 RUNTIME_ACTIVATION_RESIZE_10_10 MULTIDEVICE_RUNTIME_10_16 ",
    until_10="PROFILE_SHARING_0806 MULTIDEVICE_RUNTIME_10_16",
)
ProfilingVerbosity = enum.IntEnum("ProfilingVerbosity", "LAYER_NAMES_ONLY DETAILED NONE", start=0)
RuntimePlatform = enum.IntEnum("RuntimePlatform", "SAME_AS_BUILD WINDOWS_AMD64", start=0)
TacticSource = enumeration(
    "TacticSource",
    "CUBLAS CUBLAS_LT CUDNN EDGE_MASK_CONVOLUTIONS JIT_CONVOLUTIONS",
    until_10="CUBLAS CUBLAS_LT CUDNN",
)
TensorFormat = enum.IntEnum(
    "TensorFormat",
    "LINEAR CHW2 HWC8 CHW4 CHW16 CHW32 DHWC8 CDHW32 HWC DLA_LINEAR DLA_HWC4 HWC16 DHWC ",
    start=0,
)
TilingOptimizationLevel = enum.IntEnum("TilingOptimizationLevel", "NONE FAST MODERATE FULL", start=0)
DataType = enum.IntEnum("DataType", "float32 float16 bfloat16 int8 int32 int64 bool uint8 fp8 int4 fp4 e8m0", start=0)
globals().update(DataType.__members__)

calls = []


def plain(value):
    """Returns what is recorded of a value: an enumerator's name, a number, text, shape or list, or an object's class."""
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value if isinstance(value, (int, str, tuple)) else type(value).__name__


def record(what, *arguments):
    calls.append(" ".join([what, *(json.dumps(plain(argument)) for argument in arguments)]))


class Recorder:
    """An object whose properties and functions are known by name."""

    PROPERTIES = ()

    def __setattr__(self, name, value):
        if name == "__class__":  # TensorRT's way to get the functions of a kind of layer
            return object.__setattr__(self, name, value)
        if name not in self.PROPERTIES:
            raise AttributeError(f"TensorRT has no {type(self).__name__}.{name}")
        record(f"{name} =", value)
        object.__setattr__(self, name, value)


def function(name, *types):
    """Returns a function that takes arguments of these types and is recorded."""

    def call(self, *arguments):
        for argument, wanted in zip(arguments, types, strict=True):
            assert isinstance(argument, wanted), (name, argument)
        record(name, *arguments)

    return call


if not IS_11:
    QuantizationFlag = enum.IntEnum("QuantizationFlag", "CALIBRATE_BEFORE_FUSION", start=0)

    class IInt8Calibrator:
        pass

    class IInt8EntropyCalibrator2(IInt8Calibrator):
        pass

    class IInt8LegacyCalibrator(IInt8Calibrator):
        pass

    class IAlgorithmSelector:
        pass


class IOptimizationProfile:
    def set_shape(self, input, min, opt, max):
        assert builtins.min(min, default=0) >= 0
        record("set_shape", input, min, opt, max)

    def set_shape_input(self, input, min, opt, max):
        record("set_shape_input", input, min, opt, max)


class IBuilderConfig(Recorder):
    PROPERTIES = (
        "DLA_core builder_optimization_level default_device_type engine_capability hardware_compatibility_level "
        "max_aux_streams plugins_to_serialize profiling_verbosity runtime_platform tiling_optimization_level "
        + ("" if IS_11 else "algorithm_selector int8_calibrator")
    ).split()
    set_flag = function("set_flag", BuilderFlag)
    clear_flag = function("clear_flag", BuilderFlag)
    add_optimization_profile = function("add_optimization_profile", IOptimizationProfile)
    set_memory_pool_limit = function("set_memory_pool_limit", MemoryPoolType, int)
    set_tactic_sources = function("set_tactic_sources", int)
    set_preview_feature = function("set_preview_feature", PreviewFeature, int)
    if not IS_11:
        set_quantization_flag = function("set_quantization_flag", QuantizationFlag)
        clear_quantization_flag = function("clear_quantization_flag", QuantizationFlag)

    def create_timing_cache(self, serialized_timing_cache):
        return serialized_timing_cache

    def set_timing_cache(self, cache, ignore_mismatch):
        record("set_timing_cache", cache.decode())
        return not ignore_mismatch


class ITensor(Recorder):
    PROPERTIES = ("allowed_formats",) if IS_11 else ("dtype", "allowed_formats")
    is_shape_tensor = property(lambda self: self.name in "sh")

    def __init__(self, name, is_network_output=False):
        dtype = {"h": DataType.bool, "s": DataType.int64}.get(name, DataType.float32)
        self.__dict__.update(name=name, dtype=dtype, shape=(-1,), is_network_output=is_network_output)


class ILayer(Recorder):
    PROPERTIES = () if IS_11 else ("precision",)
    if not IS_11:
        precision = DataType.float32  # what TensorRT chooses until another one is set

    def __init__(self, type, name, inputs, outputs, place=None):
        """`place`: the loop or conditional whose border this is. Only layers of the right class tell it."""
        self.__dict__.update(type=type, name=name, inputs=inputs, num_inputs=len(inputs))
        self.__dict__.update(outputs=outputs, num_outputs=len(outputs), place=place)

    def get_input(self, index):
        return self.inputs[index]

    def get_output(self, index):
        return self.outputs[index]


class ILoop:
    pass


class IIfConditional:
    pass


class ILoopBoundaryLayer(ILayer):
    loop = property(lambda self: self.place)


class IRecurrenceLayer(ILoopBoundaryLayer):
    pass


class IIteratorLayer(ILoopBoundaryLayer):
    pass


class ILoopOutputLayer(ILoopBoundaryLayer):
    pass


class IIfConditionalBoundaryLayer(ILayer):
    conditional = property(lambda self: self.place)


class IIfConditionalInputLayer(IIfConditionalBoundaryLayer):
    pass


class IIfConditionalOutputLayer(IIfConditionalBoundaryLayer):
    pass


# Unlike the others, not equal to numbers, and so not to types.
AttentionNormalizationOp = enum.Enum("AttentionNormalizationOp", "NONE SOFTMAX")
if IS_11:
    AttentionIOForm = enum.Enum("AttentionIOForm", "PADDED_BHND PACKED_NHD")
    CausalMaskKind = enum.Enum("CausalMaskKind", "NONE UPPER_LEFT LOWER_RIGHT")


class IAttention(Recorder):
    PROPERTIES = ("decomposable",)
    name, norm_op, causal, decomposable = "fake attention", AttentionNormalizationOp.SOFTMAX, True, False
    normalization_quantize_scale = None
    if IS_11:
        causal_kind, query_form = CausalMaskKind.LOWER_RIGHT, AttentionIOForm.PACKED_NHD
        key_value_form, query_lengths, key_value_lengths = AttentionIOForm.PADDED_BHND, ITensor("lengths"), None


class IAttentionInputLayer(ILayer):
    attention = IAttention()


class INetworkDefinition:
    """Has the output y, and a loop in which a conditional is. A layer that doesn't depend on them is between theirs.

    As in networks of the parser, the input of the conditional comes after the layers of its branches.

    x -> conv -> a; loop: a -> b -> c, conditional: c -> d -> g -> e; (e, b) -> f; a -> shape -> s -> h; a -> attention -> y
    """

    def __init__(self):
        self.layers, self.inputs = [], []

    def load(self):
        x, a, b, c, d, e, f, g, k, s, h = (ITensor(name) for name in "xabcdefgksh")
        loop, conditional = ILoop(), IIfConditional()
        self.inputs = [x]
        self.layers = [
            ILayer(LayerType.CONSTANT, "weights", [], [k]),
            ILayer(LayerType.CONVOLUTION, "conv", [x, None], [a]),
            ILayer(LayerType.RECURRENCE, "begin", [a, c], [b], loop),
            ILayer(LayerType.SHAPE, "shape", [a], [s]),
            ILayer(LayerType.CAST, "truth", [s], [h]),
            ILayer(LayerType.UNARY, "step", [b], [c]),
            ILayer(LayerType.UNARY, "branch", [d], [g]),
            ILayer(LayerType.CONDITIONAL_INPUT, "if", [c], [d], conditional),
            ILayer(LayerType.CONDITIONAL_OUTPUT, "endif", [g, g], [e], conditional),
            ILayer(LayerType.LOOP_OUTPUT, "end", [e], [f, None], loop),
            ILayer(LayerType.ATTENTION_INPUT, "attention", [a], [ITensor("y", True)]),
        ]

    def __getitem__(self, index):
        return self.layers[index]

    num_inputs = property(lambda self: len(self.inputs))
    num_outputs = property(lambda self: len(self.marked()))

    def marked(self):
        return [tensor for layer in self.layers for tensor in layer.outputs if tensor and tensor.is_network_output]

    def get_input(self, index):
        return self.inputs[index]

    def get_output(self, index):
        return self.marked()[index]

    def mark_output(self, tensor):
        record("mark_output", tensor.name)
        tensor.__dict__["is_network_output"] = True

    def unmark_output(self, tensor):
        record("unmark_output", tensor.name)
        tensor.__dict__["is_network_output"] = False

    def mark_debug(self, tensor):
        record("mark_debug", tensor.name)

    def mark_unfused_tensors_as_debug_tensors(self):
        record("mark_unfused_tensors_as_debug_tensors")


class Logger:
    WARNING = 2

    def __init__(self, severity):
        pass


class Builder:
    def __init__(self, logger):
        pass

    def create_network(self, flags=0):
        record("create_network", flags)
        return INetworkDefinition()

    def create_builder_config(self):
        return IBuilderConfig()

    def create_optimization_profile(self):
        return IOptimizationProfile()


class OnnxParser:
    set_flag = function("set_flag", OnnxParserFlag)
    clear_flag = function("clear_flag", OnnxParserFlag)
    set_builder_config = function("set_builder_config", IBuilderConfig)
    num_errors = 1

    def __init__(self, network, logger):
        self.network = network

    def parse_from_file(self, path):
        if 'set_flag "REPORT_CAPABILITY_DLA"' in calls:  # the parser would crash
            assert any(call.startswith("set_builder_config") for call in calls), "the parser has no configuration"
        record("parse_from_file", path)
        self.network.load()
        return not path.endswith("bad.onnx")

    def get_error(self, index):
        return "unsupported operator Mine"


def init_libnvinfer_plugins(logger, namespace):
    pass


class IPluginRegistry:
    load_library = function("load_library", str)


def get_plugin_registry():
    return IPluginRegistry()
