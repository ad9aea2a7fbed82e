"""Loads, saves and changes ONNX models, under the names that users of Polygraphy know.

Each function has a loader class of the same name in CamelCase, which takes the same arguments and does the work when
its object is called: ``fold_constants(model)`` and ``FoldConstants(model)()`` are equal.

Wherever a model is expected, an :class:`assay.Model`, an ``onnx.ModelProto``, a path or a callable that returns one of
them will do. The result has the kind of the argument: a message for a message, otherwise an :class:`assay.Model`, whose
weights stay on disk. The argument is never changed, whatever `copy` says.
"""

from assay.backend.onnx import util as util
from assay.backend.onnx.functions import (
    bytes_from_onnx,
    convert_to_fp16,
    extract_subgraph,
    fold_constants,
    gs_from_onnx,
    infer_shapes,
    modify_outputs,
    onnx_from_bytes,
    onnx_from_path,
    onnx_from_tf_graph,
    save_onnx,
    set_upper_bound,
)
from assay.backend.base.lazy import loader

BytesFromOnnx = loader("BytesFromOnnx", bytes_from_onnx)
ConvertToFp16 = loader("ConvertToFp16", convert_to_fp16)
ExtractSubgraph = loader("ExtractSubgraph", extract_subgraph)
FoldConstants = loader("FoldConstants", fold_constants)
GsFromOnnx = loader("GsFromOnnx", gs_from_onnx)
InferShapes = loader("InferShapes", infer_shapes)
ModifyOutputs = loader("ModifyOutputs", modify_outputs)
OnnxFromBytes = loader("OnnxFromBytes", onnx_from_bytes)
OnnxFromPath = loader("OnnxFromPath", onnx_from_path)
OnnxFromTfGraph = loader("OnnxFromTfGraph", onnx_from_tf_graph)
SaveOnnx = loader("SaveOnnx", save_onnx)
SetUpperBound = loader("SetUpperBound", set_upper_bound)

__all__ = [
    "BytesFromOnnx",
    "ConvertToFp16",
    "ExtractSubgraph",
    "FoldConstants",
    "GsFromOnnx",
    "InferShapes",
    "ModifyOutputs",
    "OnnxFromBytes",
    "OnnxFromPath",
    "OnnxFromTfGraph",
    "SaveOnnx",
    "SetUpperBound",
    "bytes_from_onnx",
    "convert_to_fp16",
    "extract_subgraph",
    "fold_constants",
    "gs_from_onnx",
    "infer_shapes",
    "modify_outputs",
    "onnx_from_bytes",
    "onnx_from_path",
    "onnx_from_tf_graph",
    "save_onnx",
    "set_upper_bound",
]
