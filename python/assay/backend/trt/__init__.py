"""TensorRT, in a worker process, under the names that users of Polygraphy know.

The package ``tensorrt`` isn't needed. Networks, configurations and engines here describe what the worker does, so they
exist on every machine; building and running an engine needs TensorRT's library and a GPU (docs/tensorrt.md). Functions
of a Python file may use the package ``tensorrt`` to make or change a network: the worker calls them.

Each function has a loader class of the same name in CamelCase, which takes the same arguments and does the work when
its object is called. Wherever a network, a configuration or an engine is expected, a callable that returns one will do.
"""

from assay.backend.base.lazy import loader
from assay.backend.trt.algorithm_selector import Algorithm, TacticRecorder, TacticReplayData, TacticReplayer, TensorInfo
from assay.backend.trt.calibrator import Calibrator
from assay.backend.trt.config import Config, CreateConfig, PostprocessConfig, create_config, postprocess_config
from assay.backend.trt.engine import (
    Engine,
    bytes_from_engine,
    engine_bytes_from_network,
    engine_from_bytes,
    engine_from_network,
    engine_from_path,
    load_runtime,
    save_engine,
)
from assay.backend.trt.network import (
    Network,
    mark_debug,
    modify_network_outputs,
    network_from_onnx_bytes,
    network_from_onnx_path,
    postprocess_network,
    set_decomposable_attentions,
    set_layer_precisions,
    set_tensor_datatypes,
    set_tensor_formats,
)
from assay.backend.trt.onnx_like import onnx_like_from_network
from assay.backend.trt.plugins import LoadPlugins, load_plugins
from assay.backend.trt.profile import Profile, ShapeTuple
from assay.backend.trt.runner import TrtRunner
from assay.backend.trt.unavailable import unavailable

buffer_from_engine = bytes_from_engine

BufferFromEngine = loader("BufferFromEngine", buffer_from_engine)
BytesFromEngine = loader("BytesFromEngine", bytes_from_engine)
EngineBytesFromNetwork = loader("EngineBytesFromNetwork", engine_bytes_from_network)
EngineFromBytes = loader("EngineFromBytes", engine_from_bytes)
EngineFromNetwork = loader("EngineFromNetwork", engine_from_network)
EngineFromPath = loader("EngineFromPath", engine_from_path)
LoadRuntime = loader("LoadRuntime", load_runtime)
MarkDebug = loader("MarkDebug", mark_debug)
ModifyNetworkOutputs = loader("ModifyNetworkOutputs", modify_network_outputs)
NetworkFromOnnxBytes = loader("NetworkFromOnnxBytes", network_from_onnx_bytes)
NetworkFromOnnxPath = loader("NetworkFromOnnxPath", network_from_onnx_path)
OnnxLikeFromNetwork = loader("OnnxLikeFromNetwork", onnx_like_from_network)
PostprocessNetwork = loader("PostprocessNetwork", postprocess_network)
SaveEngine = loader("SaveEngine", save_engine)
SetDecomposableAttentions = loader("SetDecomposableAttentions", set_decomposable_attentions)
SetLayerPrecisions = loader("SetLayerPrecisions", set_layer_precisions)
SetTensorDatatypes = loader("SetTensorDatatypes", set_tensor_datatypes)
SetTensorFormats = loader("SetTensorFormats", set_tensor_formats)

CreateNetwork = unavailable("CreateNetwork")
FileReader = unavailable("FileReader")
create_network = unavailable("create_network")
get_trt_logger = unavailable("get_trt_logger")

__all__ = [
    "Algorithm",
    "BufferFromEngine",
    "BytesFromEngine",
    "Calibrator",
    "Config",
    "CreateConfig",
    "CreateNetwork",
    "Engine",
    "EngineBytesFromNetwork",
    "EngineFromBytes",
    "EngineFromNetwork",
    "EngineFromPath",
    "FileReader",
    "LoadPlugins",
    "LoadRuntime",
    "MarkDebug",
    "ModifyNetworkOutputs",
    "Network",
    "NetworkFromOnnxBytes",
    "NetworkFromOnnxPath",
    "OnnxLikeFromNetwork",
    "PostprocessConfig",
    "PostprocessNetwork",
    "Profile",
    "SaveEngine",
    "SetDecomposableAttentions",
    "SetLayerPrecisions",
    "SetTensorDatatypes",
    "SetTensorFormats",
    "ShapeTuple",
    "TacticRecorder",
    "TacticReplayData",
    "TacticReplayer",
    "TensorInfo",
    "TrtRunner",
    "buffer_from_engine",
    "bytes_from_engine",
    "create_config",
    "create_network",
    "engine_bytes_from_network",
    "engine_from_bytes",
    "engine_from_network",
    "engine_from_path",
    "get_trt_logger",
    "load_plugins",
    "load_runtime",
    "mark_debug",
    "modify_network_outputs",
    "network_from_onnx_bytes",
    "network_from_onnx_path",
    "onnx_like_from_network",
    "postprocess_config",
    "postprocess_network",
    "save_engine",
    "set_decomposable_attentions",
    "set_layer_precisions",
    "set_tensor_datatypes",
    "set_tensor_formats",
]
